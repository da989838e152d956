import { factors } from '#contract/factors.ts'
import { call, getErrorMessage } from '../../api.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { notice } from '../../ui/notice.ts'
import type { OwnPasskey } from './FactorRows.tsx'
import { useFactorChange } from './factors.ts'

export type Question = { kind: 'app' } | { kind: 'codes' } | { kind: 'passkey'; passkey: OwnPasskey }

const texts = {
  app: {
    title: 'Remove App',
    action: 'Remove',
    text: 'Signing in will not ask for its codes. Please delete the entry in the app yourself.',
  },
  passkey: {
    title: 'Remove Passkey',
    action: 'Remove',
    text: 'will not sign you in. Please delete it on your device yourself.',
  },
  codes: {
    title: 'New Codes',
    action: 'Create New Codes',
    text: 'The codes that you have will stop working.',
  },
}

interface Answer {
  message?: string
  recoveryCodes?: readonly string[]
}

const send = (question: Question): Promise<Answer> => {
  if (question.kind === 'app') return call(factors.removeTotp, {})
  if (question.kind === 'codes') return call(factors.createRecoveryCodes, {})
  return call(factors.removePasskey, { passkeyId: question.passkey.id })
}

interface FactorQuestionProps {
  question: Question
  onCodes: (codes: readonly string[]) => void
  onClose: () => void
}

/** Asks for confirmation before a factor is removed, or recovery codes are replaced. */
export function FactorQuestion({ question, onCodes, onClose }: FactorQuestionProps) {
  const change = useFactorChange(() => send(question))
  const { title, action, text } = texts[question.kind]
  const confirm = () =>
    change.mutate(undefined, {
      onSuccess: ({ message, recoveryCodes }) => {
        if (message) notice.success(message)
        if (recoveryCodes) onCodes(recoveryCodes)
      },
      onError: (error) => notice.error(getErrorMessage(error)),
      onSettled: onClose,
    })
  return (
    <QuestionDialog
      title={title}
      opened
      pending={change.isPending}
      action={action}
      isDangerous={question.kind !== 'codes'}
      onConfirm={confirm}
      onClose={onClose}
    >
      {question.kind === 'passkey' ? `“${question.passkey.name}” ${text}` : text}
    </QuestionDialog>
  )
}
