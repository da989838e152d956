import type { StatusLimits } from './status.ts'

/**
 * The timeline of one credential's feed: the intervals in which it reported any device. A terminal's silence is measured
 * against it, so that a late or broken feed turns no terminal offline.
 */
export interface FeedClock {
  recordRow: (atMs: number) => void
  /** The vendor's response had no row. Returns whether its silence can be trusted. */
  recordEmptyResponse: (nowMs: number) => boolean
  /** The newest time that the feed has reported; null before its first row or trusted silence. */
  getPresentMs: () => number | null
  /**
   * For how much of a period the feed reported any device. While the vendor makes up for a period that was missing, only what
   * it has delivered of that period counts: the next rows of a terminal may still come, although newer ones of others are there.
   */
  aliveBetween: (fromMs: number, toMs: number) => number
}

const RETENTION_MS = 26 * 3_600_000

export const createFeedClock = (limits: StatusLimits): FeedClock => {
  const { rowIntervalMs, emptyFeedTrustedAfterMs, offlineAfterMs, freshWithinMs } = limits
  // Interval numbers in ascending order. They arrive almost in order, so this is cheaper than a tree.
  let alive: number[] = []
  let presentMs: number | null = null
  /** The newest row or, after a restart, the first response without one. */
  let silentSinceMs: number | null = null
  /** The newest time of a missing period that the vendor has delivered, and the present at that moment. */
  let madeUp: { untilMs: number; presentMs: number } | undefined

  /** Bounded, so that a dish whose clock is slow hides the silence of others for a while only. */
  const getSettledMs = () => {
    if (presentMs === null || !madeUp || presentMs - madeUp.presentMs > freshWithinMs) return Number.POSITIVE_INFINITY
    return Math.max(madeUp.untilMs, presentMs - emptyFeedTrustedAfterMs)
  }

  const indexFrom = (interval: number) => {
    let low = 0
    let high = alive.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((alive[middle] as number) < interval) low = middle + 1
      else high = middle
    }
    return low
  }

  const note = (atMs: number) => {
    const interval = Math.floor(atMs / rowIntervalMs)
    presentMs = presentMs === null ? atMs : Math.max(presentMs, atMs)
    const last = alive.at(-1)
    if (last === interval) return
    if (last === undefined || interval > last) {
      alive.push(interval)
      const oldest = Math.floor((atMs - RETENTION_MS) / rowIntervalMs)
      if ((alive[0] as number) < oldest) alive = alive.slice(indexFrom(oldest))
      return
    }
    const index = indexFrom(interval)
    if (alive[index] === interval) return
    alive.splice(index, 0, interval)
    if (presentMs - atMs >= offlineAfterMs) madeUp = { untilMs: atMs, presentMs }
  }

  return {
    recordRow: (atMs) => {
      silentSinceMs = silentSinceMs === null ? atMs : Math.max(silentSinceMs, atMs)
      note(atMs)
    },
    recordEmptyResponse: (nowMs) => {
      silentSinceMs ??= nowMs
      const trusted = nowMs - silentSinceMs >= emptyFeedTrustedAfterMs
      if (trusted) note(nowMs)
      return trusted
    },
    getPresentMs: () => presentMs,
    aliveBetween: (fromMs, toMs) => {
      const first = Math.floor(fromMs / rowIntervalMs) + 1
      const beyond = Math.floor(Math.min(toMs, getSettledMs()) / rowIntervalMs)
      if (beyond <= first) return 0
      return (indexFrom(beyond) - indexFrom(first)) * rowIntervalMs
    },
  }
}
