import { setTimeout as sleepMs } from 'node:timers/promises'

export type RequestBudget = {
  /** Resolves when one more request may be sent; callers are served in the order they came. */
  take(signal?: AbortSignal): Promise<void>
}

type Options = {
  perMinute?: number
  now?: () => number
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>
}

// The vendor counts when a request arrives, we when it leaves: a second of slack covers the difference.
const WINDOW_MS = 61_000

const pause = (ms: number, signal?: AbortSignal) => sleepMs(ms, undefined, { signal })

/** One per credential, shared by everything that uses it: no 60 seconds ever see more than `perMinute` requests. */
export const createRequestBudget = (options: Options = {}): RequestBudget => {
  const { perMinute = 250, now = Date.now, sleep = pause } = options
  const grantedAt: number[] = []
  let turn: Promise<void> = Promise.resolve()

  const grant = async (signal?: AbortSignal) => {
    for (;;) {
      signal?.throwIfAborted()
      const oldest = grantedAt[0]
      if (oldest !== undefined && oldest <= now() - WINDOW_MS) grantedAt.shift()
      else if (grantedAt.length < perMinute) break
      else if (oldest !== undefined) await sleep(oldest + WINDOW_MS - now(), signal)
    }
    grantedAt.push(now())
  }

  return {
    take(signal) {
      const granted = turn.then(() => grant(signal))
      turn = granted.catch(() => {})
      return granted
    },
  }
}
