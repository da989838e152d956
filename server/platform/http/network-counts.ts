const WINDOW_MS = 60_000
/** The most counters of one kind per process. */
const MAX_COUNTS = 20_000

interface Count {
  windowStartMs: number
  used: number
}

/** Counts by key within a minute, in memory: nothing is read or written, so that a flood costs next to nothing. */
export const createCounts = () => {
  const counts = new Map<string, Count>()
  const read = (key: string, nowMs: number) => {
    const windowStartMs = Math.floor(nowMs / WINDOW_MS) * WINDOW_MS
    const known = counts.get(key)
    const used = known?.windowStartMs === windowStartMs ? known.used : 0
    return { windowStartMs, used, resetS: Math.ceil((windowStartMs + WINDOW_MS - nowMs) / 1000) }
  }
  return {
    read,
    add: (key: string, nowMs: number) => {
      const { windowStartMs, used, resetS } = read(key, nowMs)
      // Map order is LRU order.
      counts.delete(key)
      counts.set(key, { windowStartMs, used: used + 1 })
      if (counts.size > MAX_COUNTS) counts.delete(counts.keys().next().value as string)
      return { used: used + 1, resetS }
    },
  }
}

/**
 * Limits guesses at secrets per minute, by the networks of their sender, the narrowest first. A wider network may make
 * more, but fewer than the sum of its parts.
 */
export const createGuessLimits = (perNetwork: number) => {
  const guesses = createCounts()
  return {
    /** The limit that the sender has reached; undefined if there is none. */
    findReached: (networks: readonly string[], nowMs: number) =>
      networks
        .map((network, index) => ({ limit: perNetwork * 2 ** index, ...guesses.read(network, nowMs) }))
        .find(({ limit, used }) => used >= limit),
    count: (networks: readonly string[], nowMs: number) => {
      for (const network of networks) guesses.add(network, nowMs)
    },
  }
}
