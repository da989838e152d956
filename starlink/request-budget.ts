import { setTimeout as sleepMs } from 'node:timers/promises'

export type RequestBudget = {
  /** Resolves when one more request may be sent; callers are served in the order they came. */
  take(signal?: AbortSignal): Promise<void>
}

export type SharedBudget = RequestBudget & {
  /**
   * Sets requests aside for somebody who cannot wait: taken from what is answered they are sent at once, and those that are
   * not taken within `forMs` lapse. Where there are not as many, answers the milliseconds until there will be.
   */
  hold(count: number, forMs: number): RequestBudget | number
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
export const createRequestBudget = (options: Options = {}): SharedBudget => {
  const { perMinute = 250, now = Date.now, sleep = pause } = options
  const grantedAt: number[] = []
  const held = new Set<{ untilMs: number }>()
  let turn: Promise<void> = Promise.resolve()

  const forgetOld = () => {
    while (grantedAt[0] !== undefined && grantedAt[0] <= now() - WINDOW_MS) grantedAt.shift()
    for (const one of held) if (one.untilMs <= now()) held.delete(one)
  }

  /** Until `count` more may be sent, if those that are held come to nothing. */
  const waitMs = (count: number) => {
    forgetOld()
    const excess = grantedAt.length + held.size + count - perMinute
    if (excess <= 0) return 0
    const freedAt = [...grantedAt.map((atMs) => atMs + WINDOW_MS), ...[...held].map(({ untilMs }) => untilMs)]
    return (freedAt.sort((a, b) => a - b)[excess - 1] ?? now() + WINDOW_MS) - now()
  }

  const grant = async (signal?: AbortSignal) => {
    for (;;) {
      signal?.throwIfAborted()
      const ms = waitMs(1)
      if (ms === 0) break
      await sleep(ms, signal)
    }
    grantedAt.push(now())
  }

  const take = (signal?: AbortSignal) => {
    const granted = turn.then(() => grant(signal))
    turn = granted.catch(() => {})
    return granted
  }

  const hold = (count: number, forMs: number) => {
    const ms = waitMs(count)
    if (ms > 0) return ms
    const mine = Array.from({ length: count }, () => ({ untilMs: now() + forMs }))
    for (const one of mine) held.add(one)
    return {
      take: async (signal?: AbortSignal) => {
        forgetOld()
        const one = mine.shift()
        if (one === undefined || !held.delete(one)) return take(signal)
        grantedAt.push(now())
      },
    }
  }

  return { take, hold }
}
