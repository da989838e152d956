import type { ApiToken } from '#contract/api-tokens.ts'
import { getErrorMessage } from '../../api.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { notice } from '../../ui/notice.ts'
import { useTokenChange } from './api-tokens.ts'

interface RevokeQuestionProps {
  token: ApiToken
  revoke: (input: { tokenId: string }) => Promise<{ message: string }>
  onClose: () => void
}

export function RevokeQuestion({ token, revoke, onClose }: RevokeQuestionProps) {
  const change = useTokenChange(revoke)
  const confirm = () =>
    change.mutate(
      { tokenId: token.id },
      {
        onSuccess: ({ message }) => notice.success(message),
        onError: (error) => notice.error(getErrorMessage(error)),
        onSettled: onClose,
      },
    )
  return (
    <QuestionDialog
      title="Revoke Token"
      opened
      pending={change.isPending}
      action="Revoke"
      isDangerous
      onConfirm={confirm}
      onClose={onClose}
    >
      Whatever uses the token “{token.name}” stops working at once.
    </QuestionDialog>
  )
}
