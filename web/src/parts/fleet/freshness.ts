import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Past } from '#contract/past.ts'
import { DELAYED_AFTER_MS } from '#contract/terminal-status.ts'
import { disconnection, wasReached } from '../../contact.ts'
import type { Feed } from './live.ts'

/** How current the page is. */
export type Freshness =
  /** `waiting`: connected, but nothing has been measured yet. */
  | { state: 'connecting' | 'waiting' | 'live' | 'delayed'; newestAtMs: number | null }
  /** `asOfMs` is when a list from the cache was loaded. */
  | { state: 'disconnected'; newestAtMs: number | null; sinceMs: number; asOfMs?: number | undefined }
  /** `past` is set once the list has loaded. */
  | { state: 'past'; newestAtMs: number | null; atMs: number; past: Past | undefined }

/** `offlineSinceMs` is when the browser lost its network; null while it has one. */
export function getFreshness(feed: Feed, offlineSinceMs: number | null, nowMs: number): Freshness {
  const { state, newestAtMs, pausedAtMs } = feed
  if (offlineSinceMs !== null || state === 'paused') {
    const sinceMs = Math.min(offlineSinceMs ?? Number.POSITIVE_INFINITY, pausedAtMs ?? Number.POSITIVE_INFINITY)
    return { state: 'disconnected', newestAtMs, sinceMs: Number.isFinite(sinceMs) ? sinceMs : nowMs }
  }
  if (newestAtMs !== null && nowMs - newestAtMs > DELAYED_AFTER_MS) return { state: 'delayed', newestAtMs }
  return { state: state === 'live' && newestAtMs === null ? 'waiting' : state, newestAtMs }
}

export const describePast = (at: string, past: Past | undefined): Freshness => ({
  state: 'past',
  newestAtMs: past?.newestAt?.getTime() ?? null,
  atMs: Date.parse(at),
  past,
})

/** Whether statuses and ages on the page may be out of date. */
export const isStale = ({ state }: Freshness) => state === 'delayed' || state === 'disconnected'

/**
 * The start of a disconnection survives a reload. A page that was opened offline knows only when the server was last
 * reached: when the list was cached.
 */
export function useLastingDisconnection(freshness: Freshness, asOfMs: number | undefined): Freshness {
  const isDisconnected = freshness.state === 'disconnected'
  const earlierMs = disconnection.find() ?? (wasReached() ? undefined : asOfMs)
  const sinceMs = isDisconnected ? Math.min(freshness.sinceMs, earlierMs ?? Number.POSITIVE_INFINITY) : undefined
  useEffect(() => {
    if (sinceMs !== undefined) disconnection.store(sinceMs)
  }, [sinceMs])
  return isDisconnected && sinceMs !== undefined ? { ...freshness, sinceMs, asOfMs } : freshness
}

let offlineSinceMs: number | null = null

const updateNetwork = () => {
  offlineSinceMs = navigator.onLine ? null : (offlineSinceMs ?? Date.now())
}

const watchNetwork = (onChange: () => void) => {
  const change = () => {
    updateNetwork()
    onChange()
  }
  updateNetwork()
  window.addEventListener('online', change)
  window.addEventListener('offline', change)
  return () => {
    window.removeEventListener('online', change)
    window.removeEventListener('offline', change)
  }
}

const CHECK_INTERVAL_MS = 1000

/** Since when the browser has no network; null while it has one. */
export const useOfflineSinceMs = () => useSyncExternalStore(watchNetwork, () => offlineSinceMs)

/** Renders again only when the result changes, because the page may have thousands of rows. */
export function useFreshness(feed: Feed): Freshness {
  const offlineMs = useOfflineSinceMs()
  const [, setState] = useState<Freshness['state']>('connecting')
  useEffect(() => {
    const check = () => setState(getFreshness(feed, offlineMs, Date.now()).state)
    check()
    const timer = setInterval(check, CHECK_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [feed, offlineMs])
  return getFreshness(feed, offlineMs, Date.now())
}
