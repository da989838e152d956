import { formatCounted } from '#contract/format/numbers.ts'
import { personalData } from '#contract/personal-data.ts'
import type { User } from '#contract/users.ts'
import { call, getErrorMessage } from '../../api.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { notice } from '../../ui/notice.ts'
import { useUserChange } from './users.ts'

const describePlain = (count: number) =>
  count === 0 ? '' : ` ${formatCounted(count, 'older entry', 'older entries')} of the editing log still name the user.`

export function EraseQuestion({ user, onErased, onClose }: { user: User; onErased: () => void; onClose: () => void }) {
  const erase = useUserChange(() => call(personalData.eraseUser, { user_id: user.user_id }))
  const confirm = () =>
    erase.mutate(undefined, {
      onSuccess: ({ message, plainEntries }) => {
        notice.success(message + describePlain(plainEntries))
        onErased()
      },
      onError: (error) => notice.error(getErrorMessage(error)),
      onSettled: onClose,
    })
  return (
    <QuestionDialog
      title="Erase User Data"
      opened
      pending={erase.isPending}
      action="Erase"
      isDangerous
      onConfirm={confirm}
      onClose={onClose}
    >
      Are you sure you want to erase {user.email}? The user is deleted together with all messages, tickets and settings,
      and the editing log no longer shows who they were. This cannot be undone.
    </QuestionDialog>
  )
}
