import type { Loss } from './loss.ts'

/** Which terminals worked at a time, from their losses. */
export interface FleetHistory {
  areas: Iterable<string>
  /** Terminals of the areas, but for these, that worked at that time. */
  countOthers: (areas: Iterable<string>, except: ReadonlySet<number>, atMs: number) => number
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
    countOthers: (areas, except, atMs) => {
      let count = 0
      for (const area of areas)
        for (const id of terminals.get(area) ?? []) if (!except.has(id) && works(id, atMs)) count++
      return count
    },
  }
}
