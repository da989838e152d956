import { type User, users } from '#contract/users.ts'
import { call, getErrorMessage } from '../../api.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { notice } from '../../ui/notice.ts'
import { useUserChange } from './users.ts'

export function ResetFactorsQuestion({ user, onClose }: { user: User; onClose: () => void }) {
  const reset = useUserChange(() => call(users.resetFactors, { user_id: user.user_id }))
  const confirm = () =>
    reset.mutate(undefined, {
      onSuccess: ({ message }) => notice.success(message),
      onError: (error) => notice.error(getErrorMessage(error)),
      onSettled: onClose,
    })
  return (
    <QuestionDialog
      title="Reset Second Factors"
      opened
      pending={reset.isPending}
      action="Reset"
      isDangerous
      onConfirm={confirm}
      onClose={onClose}
    >
      {user.email} can then sign in with the password alone, is signed out everywhere and gets a mail. Make sure that it
      is really this person who asks for it.
    </QuestionDialog>
  )
}
