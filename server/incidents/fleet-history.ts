import type { Loss } from './loss.ts'

/** Which terminals were working at a time, derived from their losses. */
export interface FleetHistory {
  areas: Iterable<string>
  /** How many terminals of the areas, except these, were working at that time; counts at most `most`. */
  countOthers: (areas: Iterable<string>, except: ReadonlySet<number>, atMs: number, most?: number) => number
}

export const createFleetHistory = (
  terminals: ReadonlyMap<string, readonly number[]>,
  losses: readonly Loss[],
): FleetHistory => {
  const lossesById = Map.groupBy(losses, ({ terminalId }) => terminalId)
  const works = (id: number, atMs: number) =>
    !lossesById.get(id)?.some(({ lostAtMs, backAtMs }) => lostAtMs <= atMs && (backAtMs ?? atMs) >= atMs)
  return {
    areas: [...terminals.keys()],
    countOthers: (areas, except, atMs, most = Number.POSITIVE_INFINITY) => {
      let count = 0
      for (const area of areas)
        for (const id of terminals.get(area) ?? []) {
          if (!except.has(id) && works(id, atMs)) count++
          if (count >= most) return count
        }
      return count
    },
  }
}
