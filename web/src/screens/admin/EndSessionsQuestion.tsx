import { type User, users } from '#contract/users.ts'
import { call, getErrorMessage } from '../../api.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { notice } from '../../ui/notice.ts'
import { useUserChange } from './users.ts'

export function EndSessionsQuestion({ user, onClose }: { user: User; onClose: () => void }) {
  const end = useUserChange(() => call(users.endSessions, { user_id: user.user_id }))
  const confirm = () =>
    end.mutate(undefined, {
      onSuccess: ({ message }) => notice.success(message),
      onError: (error) => notice.error(getErrorMessage(error)),
      onSettled: onClose,
    })
  return (
    <QuestionDialog
      title="End Sessions"
      opened
      pending={end.isPending}
      action="End Sessions"
      onConfirm={confirm}
      onClose={onClose}
    >
      {user.email} will be signed out in every browser and can sign in again.
    </QuestionDialog>
  )
}
