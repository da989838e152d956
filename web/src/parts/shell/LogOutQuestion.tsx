import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { logOut } from '../../session.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'

export function LogOutQuestion({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate()
  const [pending, setPending] = useState(false)
  const confirm = async () => {
    setPending(true)
    await navigate({ to: '/' })
    const continueAt = await logOut()
    if (continueAt) location.assign(continueAt)
  }
  return (
    <QuestionDialog
      title="Log Out"
      action="Log Out"
      opened={opened}
      pending={pending}
      onConfirm={confirm}
      onClose={onClose}
    >
      Are you sure you want to log out?
    </QuestionDialog>
  )
}
