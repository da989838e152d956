/** How often the simulator was called, by a clock that nobody moves. */
export type Traffic = {
  note(): void
  /** The most calls that any stretch of this length has seen. */
  mostWithin(ms: number): number
}

/** Longer ago is forgotten: what runs for days must not remember every call. */
const CALLS_KEPT = 100_000

export const createTraffic = (now: () => number = () => performance.now()): Traffic => {
  let calls: number[] = []
  return {
    note() {
      calls.push(now())
      if (calls.length > CALLS_KEPT) calls = calls.slice(CALLS_KEPT / 2)
    },
    mostWithin(ms) {
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
