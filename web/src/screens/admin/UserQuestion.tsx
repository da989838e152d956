import type { ReactNode } from 'react'
import { getErrorMessage } from '../../api.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { notice } from '../../ui/notice.ts'
import { useUserChange } from './users.ts'

interface UserQuestionProps<Result> {
  title: string
  /** The label of the confirm button. */
  action: string
  isDangerous?: boolean
  change: () => Promise<Result>
  /** The notice of success. */
  describe: (result: Result) => string
  describeFailure?: (error: unknown) => string
  onDone?: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks before a change of a user, and reports how it went. */
export function UserQuestion<Result>(props: UserQuestionProps<Result>) {
  const { change, describe, describeFailure = getErrorMessage, onDone, onClose, ...question } = props
  const mutation = useUserChange(change)
  const confirm = () =>
    mutation.mutate(undefined, {
      onSuccess: (result) => {
        notice.success(describe(result))
        onDone?.()
      },
      onError: (error) => notice.error(describeFailure(error)),
      onSettled: onClose,
    })
  return <QuestionDialog {...question} opened pending={mutation.isPending} onConfirm={confirm} onClose={onClose} />
}
