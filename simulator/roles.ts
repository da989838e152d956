import { hash } from './noise.ts'
import { PURPOSE } from './purposes.ts'

/**
 * - `ordinary`: online, and offline when it is its turn
 * - `disabled`: reports, but the vendor has disabled its service
 * - `noData`: in the inventory, but has never reported
 * - `seasonal`: a lodge that is inactive from October to April
 */
export type Role = 'ordinary' | 'disabled' | 'noData' | 'seasonal'

const MIN_TERMINALS = 20

/** Fixed shares instead of random ones: a fleet of 60 has the same mix as one of 100,000. */
export const assignRoles = (seed: number, total: number, reserved: number) => {
  const isMixed = total >= MIN_TERMINALS
  const share = (part: number) => (isMixed ? Math.max(1, Math.round(total * part)) : 0)
  const disabled = share(0.03)
  const noData = share(0.024)
  const seasonal = share(0.015)
  const rank = shuffledRanks(seed, total, isMixed ? reserved : 0)
  const chooseRole = (place: number): Role => {
    if (place < disabled) return 'disabled'
    if (place < disabled + noData) return 'noData'
    return place < disabled + noData + seasonal ? 'seasonal' : 'ordinary'
  }
  const special = disabled + noData + seasonal
  return (index: number): { role: Role; turn: number } => {
    const place = rank[index] ?? total
    return { role: chooseRole(place), turn: Math.max(0, place - special) }
  }
}

/** The reserved first indexes are ranked last, so they get no special role. */
const shuffledRanks = (seed: number, total: number, reserved: number) => {
  const order = Uint32Array.from({ length: total }, (_, index) => index)
  for (let last = total - 1; last > reserved; last--) {
    const other = reserved + (hash(seed, last, 0, PURPOSE.shuffle) % (last - reserved + 1))
    const swapped = order[last] ?? 0
    order[last] = order[other] ?? 0
    order[other] = swapped
  }
  const ranks = new Uint32Array(total)
  for (const [position, index] of order.entries()) {
    ranks[index] = position < reserved ? total - reserved + position : position - reserved
  }
  return ranks
}
