import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { MESSAGE_ID } from './FormMessage.tsx'

interface SubmitButtonProps {
  pending: boolean
  isWaiting: boolean
  children: ReactNode
}

/** While the form is blocked, the button keeps the focus, and its description says why it is inactive. */
export function SubmitButton({ pending, isWaiting, children }: SubmitButtonProps) {
  return (
    <Button
      type="submit"
      fullWidth
      h="var(--touch)"
      loading={pending}
      disabled={isWaiting}
      aria-describedby={isWaiting ? MESSAGE_ID : undefined}
    >
      {children}
    </Button>
  )
}
