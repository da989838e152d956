import { describeLimit } from '../platform/http/rate-limit-headers.ts'

const WINDOW_MS = 60_000
/** How many counts a process remembers. */
const MAX_COUNTS = 20_000

/** Openings in a minute: from one network, and by everybody, because a link can be passed on. */
export const OPENINGS_PER_NETWORK = 30
const OPENINGS_PER_LINK = 300

interface Count {
  windowStartMs: number
  used: number
}

/**
 * Counts openings of links. It comes before anything is read, so that a flood costs next to nothing; each process counts
 * for itself, so that it writes nothing either.
 */
export const createLinkLimits = () => {
  const counts = new Map<string, Count>()

  const count = (key: string, limit: number, nowMs: number) => {
    const windowStartMs = Math.floor(nowMs / WINDOW_MS) * WINDOW_MS
    const known = counts.get(key)
    const used = (known?.windowStartMs === windowStartMs ? known.used : 0) + 1
    // The least recently used is first.
    counts.delete(key)
    counts.set(key, { windowStartMs, used })
    if (counts.size > MAX_COUNTS) counts.delete(counts.keys().next().value as string)
    return { limit, remaining: limit - used, resetS: Math.ceil((windowStartMs + WINDOW_MS - nowMs) / 1000) }
  }

  /** What the response says about the limit that is nearer, and how long to wait if it is exceeded. */
  return (secret: string, network: string, nowMs: number) => {
    const own = count(`${secret} ${network}`, OPENINGS_PER_NETWORK, nowMs)
    // What is refused to one network takes nothing from the others.
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
