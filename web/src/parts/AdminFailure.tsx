import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '#contract/errors.ts'
import { getErrorMessage } from '../api.ts'
import { MessageDialog } from '../ui/dialogs.tsx'
import { Failure } from '../ui/Failure.tsx'

interface AdminFailureProps {
  what: string
  error: unknown
  onRetry: () => void
}

/** Reports a refusal with a link to the home page; other failures can be retried. */
export function AdminFailure({ what, error, onRetry }: AdminFailureProps) {
  const navigate = useNavigate()
  const isRefused = error instanceof ApiError && (error.status === 403 || error.status === 404)
  if (!isRefused) return <Failure isPage what={what} why={getErrorMessage(error)} onRetry={onRetry} />
  return <MessageDialog title={what} text={error.message} onClose={() => navigate({ to: '/' })} />
}
