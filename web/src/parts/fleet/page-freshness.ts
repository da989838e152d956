import { useEffect, useState } from 'react'
import { DELAYED_AFTER_MS } from '#contract/terminal-status.ts'
import { disconnection } from '../../contact.ts'
import { type Freshness, useOfflineSinceMs } from './freshness.ts'

interface PageTimes {
  /** When the page's data was cached, if it comes from the cache. */
  cachedAtMs: number | undefined
  /** When it was loaded. */
  loadedAtMs: number
  /** The newest sample of a terminal that is online and therefore reports; undefined if none is. */
  newestAtMs: number | undefined
}

/** How current a page is that no stream updates; undefined while there is nothing to say about it. */
export function usePageFreshness({ cachedAtMs, loadedAtMs, newestAtMs }: PageTimes): Freshness | undefined {
  const offlineSinceMs = useOfflineSinceMs()
  const isDelayed = useIsDelayed(newestAtMs)
  if (cachedAtMs !== undefined || offlineSinceMs !== null) {
    const asOfMs = cachedAtMs ?? loadedAtMs
    const sinceMs = Math.min(disconnection.find() ?? asOfMs, Date.now())
    return { state: 'disconnected', newestAtMs: null, sinceMs, asOfMs }
  }
  return isDelayed && newestAtMs !== undefined ? { state: 'delayed', newestAtMs } : undefined
}

/** Renders the page again only when the result changes. */
function useIsDelayed(newestAtMs: number | undefined) {
  const [isDelayed, setDelayed] = useState(false)
  useEffect(() => {
    setDelayed(false)
    if (newestAtMs === undefined) return
    const timer = setTimeout(() => setDelayed(true), Math.max(0, newestAtMs + DELAYED_AFTER_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [newestAtMs])
  return isDelayed
}
