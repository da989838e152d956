import { disconnection } from '../../contact.ts'
import { useNow } from '../../ui/use-now.ts'
import { useOfflineSinceMs } from './freshness.ts'
import { LiveBadge } from './LiveBadge.tsx'

interface DisconnectedBadgeProps {
  /** When the page's data was cached, if it comes from the cache. */
  cachedAtMs: number | undefined
  /** When it was loaded. */
  loadedAtMs: number
  onRetry: () => void
}

/** For a page that no stream updates: shows since when there is no connection, and how old the page is. */
export function DisconnectedBadge({ cachedAtMs, loadedAtMs, onRetry }: DisconnectedBadgeProps) {
  const offlineSinceMs = useOfflineSinceMs()
  const nowMs = useNow(1000)
  if (cachedAtMs === undefined && offlineSinceMs === null) return null
  const asOfMs = cachedAtMs ?? loadedAtMs
  const sinceMs = Math.min(disconnection.find() ?? asOfMs, nowMs)
  return <LiveBadge freshness={{ state: 'disconnected', newestAtMs: null, sinceMs, asOfMs }} onRetry={onRetry} />
}
