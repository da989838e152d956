import { describeLimit } from '../platform/http/rate-limit-headers.ts'

const WINDOW_MS = 60_000
/** The most counters per process. */
const MAX_COUNTS = 20_000

/** Requests per minute: from one network, and in total, because a link can be passed on. */
export const OPENINGS_PER_NETWORK = 30
const OPENINGS_PER_LINK = 300

interface Count {
  windowStartMs: number
  used: number
}

/**
 * Limits how often links are opened. It runs before anything is read, so that a flood costs next to nothing; it is per
 * process, so that nothing is written either.
 */
export const createLinkLimits = () => {
  const counts = new Map<string, Count>()

  const count = (key: string, limit: number, nowMs: number) => {
    const windowStartMs = Math.floor(nowMs / WINDOW_MS) * WINDOW_MS
    const known = counts.get(key)
    const used = (known?.windowStartMs === windowStartMs ? known.used : 0) + 1
    // Map order is LRU order.
    counts.delete(key)
    counts.set(key, { windowStartMs, used })
    if (counts.size > MAX_COUNTS) counts.delete(counts.keys().next().value as string)
    return { limit, remaining: limit - used, resetS: Math.ceil((windowStartMs + WINDOW_MS - nowMs) / 1000) }
  }

  /**
   * The state of the limit that is closer to being exceeded, for the response headers, and how long to wait if it is.
   */
  return (secret: string, network: string, nowMs: number) => {
    const own = count(`${secret} ${network}`, OPENINGS_PER_NETWORK, nowMs)
    // Requests refused to one network do not count against the others.
    const nearest =
      own.remaining < 0
        ? own
        : [own, count(secret, OPENINGS_PER_LINK, nowMs)].reduce((least, other) =>
            other.remaining < least.remaining ? other : least,
          )
    const { limit, remaining, resetS } = nearest
    return { headers: describeLimit(limit, remaining, resetS), waitS: remaining < 0 ? resetS : 0 }
  }
}
