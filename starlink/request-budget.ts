import { setTimeout as sleepMs } from 'node:timers/promises'

export type RequestBudget = {
  /** Resolves when one more request may be sent. */
  take(signal?: AbortSignal): Promise<void>
}

/** A budget that only this process uses. */
export type OwnRequestBudget = RequestBudget & {
  /** Requests in the current window. */
  countUsed(): number
}

type Options = {
  perMinute?: number
  now?: () => number
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>
}

/** The vendor counts a request when it arrives, we count it when it is sent. A second of slack covers the difference. */
export const VENDOR_MINUTE_MS = 61_000

/** Whether a request that leaves the window at a time still counts. One beyond it was sent before the clock was set back. */
export const isCounted = (untilMs: number, nowMs: number) => untilMs > nowMs && untilMs <= nowMs + 2 * VENDOR_MINUTE_MS

const pause = (ms: number, signal?: AbortSignal) => sleepMs(ms, undefined, { signal })

/** How long until `count` more requests may be sent. `untilMs` is when each sent request leaves the window. */
export const waitForRoomMs = (untilMs: readonly number[], count: number, perMinute: number, nowMs: number) => {
  const excess = untilMs.length + count - perMinute
  if (excess <= 0) return 0
  const releasedMs = untilMs.toSorted((a, b) => a - b)[excess - 1] ?? nowMs + VENDOR_MINUTE_MS
  // The clock has advanced since the caller read it, so the oldest request may have left the window.
  return Math.max(0, releasedMs - nowMs)
}

/** Allows at most `perMinute` requests in any 60 seconds, for a credential that only this process uses. */
export const createRequestBudget = (options: Options = {}): OwnRequestBudget => {
  const { perMinute = 250, now = Date.now, sleep = pause } = options
  let untilMs: number[] = []
  let turn: Promise<void> = Promise.resolve()

  const grant = async (signal?: AbortSignal) => {
    for (;;) {
      signal?.throwIfAborted()
      untilMs = untilMs.filter((ms) => isCounted(ms, now()))
      const waitMs = waitForRoomMs(untilMs, 1, perMinute, now())
      if (waitMs === 0) break
      await sleep(waitMs, signal)
    }
    untilMs.push(now() + VENDOR_MINUTE_MS)
  }

  return {
    countUsed: () => untilMs.filter((ms) => isCounted(ms, now())).length,
    /** Serves callers in order of arrival. */
    take: (signal) => {
      const granted = turn.then(() => grant(signal))
      turn = granted.catch(() => {})
      return granted
    },
  }
}
