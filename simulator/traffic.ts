/** How often the simulator was called, by the real clock. */
export type Traffic = {
  record(): void
  /** The maximum number of calls in any interval of this length. */
  maxWithin(ms: number): number
}

/** Older calls are dropped, so that memory stays bounded in a simulator that runs for days. */
const MAX_CALLS = 100_000

export const createTraffic = (now: () => number = () => performance.now()): Traffic => {
  let calls: number[] = []
  return {
    record() {
      calls.push(now())
      if (calls.length > MAX_CALLS) calls = calls.slice(MAX_CALLS / 2)
    },
    maxWithin(ms) {
      let most = 0
      let first = 0
      for (const [index, atMs] of calls.entries()) {
        while ((calls[first] as number) <= atMs - ms) first++
        most = Math.max(most, index - first + 1)
      }
      return most
    },
  }
}
