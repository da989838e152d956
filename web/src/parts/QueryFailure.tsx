import { getErrorMessage } from '../api.ts'
import { Failure } from '../ui/Failure.tsx'

interface QueryFailureProps {
  what: string
  query: { error: unknown; refetch: () => unknown }
  /** It stands for the whole page, so it is its heading. */
  isPage?: boolean
}

/** What could not be loaded, why, and the way to try again. */
export const QueryFailure = ({ what, query, isPage = false }: QueryFailureProps) => (
  <Failure isPage={isPage} what={what} why={getErrorMessage(query.error)} onRetry={() => void query.refetch()} />
)
