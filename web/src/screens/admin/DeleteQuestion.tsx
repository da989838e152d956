import { ApiError } from '#contract/errors.ts'
import { type User, users } from '#contract/users.ts'
import { call } from '../../api.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { notice } from '../../ui/notice.ts'
import { useUserChange } from './users.ts'

const failed = 'Failed to delete user. Please try again.'

/** A 409 states the violated rule; retrying would not help. */
const getFailureText = (error: unknown) => (error instanceof ApiError && error.status === 409 ? error.message : failed)

export function DeleteQuestion({ user, onClose }: { user: User; onClose: () => void }) {
  const remove = useUserChange(() => call(users.remove, { user_id: user.user_id }))
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => notice.success('User deleted successfully'),
      onError: (error) => notice.error(getFailureText(error)),
      onSettled: onClose,
    })
  return (
    <QuestionDialog
      title="Delete User"
      opened
      pending={remove.isPending}
      action="Delete"
      isDangerous
      onConfirm={confirm}
      onClose={onClose}
    >
      Are you sure you want to delete {user.email}?
    </QuestionDialog>
  )
}
