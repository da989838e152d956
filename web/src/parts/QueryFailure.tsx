import { getErrorMessage } from '../api.ts'
import { Failure } from '../ui/Failure.tsx'

interface QueryFailureProps {
  what: string
  query: { error: unknown; refetch: () => unknown }
  /** It replaces the whole page, so its title is the page heading. */
  isPage?: boolean
}

/** What could not be loaded, why, and a retry button. */
export const QueryFailure = ({ what, query, isPage = false }: QueryFailureProps) => (
  <Failure isPage={isPage} what={what} why={getErrorMessage(query.error)} onRetry={() => void query.refetch()} />
)
