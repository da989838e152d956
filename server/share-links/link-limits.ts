import { createCounts, createGuessLimits } from '../platform/http/network-counts.ts'
import { describeLimit } from '../platform/http/rate-limit-headers.ts'

/** Requests per minute: from one network, and in total, because a link can be passed on. */
export const OPENINGS_PER_NETWORK = 30
const OPENINGS_PER_LINK = 300
/** Requests per minute from one network that find no link. */
export const GUESSES_PER_NETWORK = 60

/** Limits how often links are opened, and guessed. The networks are those of the sender, the narrowest first. */
export const createLinkLimits = () => {
  const openings = createCounts()
  const guesses = createGuessLimits(GUESSES_PER_NETWORK)

  const count = (key: string, limit: number, nowMs: number) => {
    const { used, resetS } = openings.add(key, nowMs)
    return { limit, remaining: limit - used, resetS }
  }

  return {
    /**
     * The state of the limit that is closest to being exceeded, for the response headers, and how long to wait if it is.
     */
    countOpening: (secret: string, networks: readonly [string, ...string[]], nowMs: number) => {
      const reached = guesses.findReached(networks, nowMs)
      if (reached) return { headers: describeLimit(reached.limit, 0, reached.resetS), waitS: reached.resetS }
      const own = count(`${secret} ${networks[0]}`, OPENINGS_PER_NETWORK, nowMs)
      // Requests refused to one network do not count against the others.
      const nearest =
        own.remaining < 0
          ? own
          : [own, count(secret, OPENINGS_PER_LINK, nowMs)].reduce((least, other) =>
              other.remaining < least.remaining ? other : least,
            )
      const { limit, remaining, resetS } = nearest
      return { headers: describeLimit(limit, remaining, resetS), waitS: remaining < 0 ? resetS : 0 }
    },
    /** The request has found no link. */
    countGuess: guesses.count,
  }
}
