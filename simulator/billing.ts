import { getMeanDailyGb } from './activity.ts'
import { type Changes, isOptedIn } from './changes.ts'
import type { Fleet, Line } from './fleet.ts'
import { gauss, hash, lognormal } from './noise.ts'
import { BLOCK_PRODUCTS } from './plans.ts'
import { PURPOSE } from './purposes.ts'
import { isActive } from './season.ts'

export const DAY_MS = 86_400_000

export type Cycle = { startMs: number; endMs: number }

/** Each account has its own first day of the cycle, which starts at midnight UTC. */
export const getCycle = (fleet: Fleet, account: number, atMs: number, back = 0): Cycle => {
  const anchor = 1 + (hash(fleet.seed, account, 0, PURPOSE.day) % 28)
  const at = new Date(atMs)
  const month = at.getUTCMonth() - (at.getUTCDate() < anchor ? 1 : 0) - back
  const year = at.getUTCFullYear()
  return { startMs: Date.UTC(year, month, anchor), endMs: Date.UTC(year, month + 1, anchor) }
}

/** The traffic of a line on one UTC day, up to a moment. */
export const getDailyGb = (fleet: Fleet, line: Line, day: number, untilMs: number): number => {
  const { terminal } = line
  const startMs = day * DAY_MS
  const carries = terminal && (terminal.role === 'ordinary' || terminal.role === 'seasonal')
  if (!carries || startMs < line.startedMs || untilMs <= startMs || !isActive(line, startMs)) return 0
  const mean = getMeanDailyGb(terminal.kind, terminal.busyMedianMbps, (day + 4) % 7) * terminal.intensity
  const whole = lognormal(mean, 0.25, gauss(fleet.seed, terminal.index, day, PURPOSE.day))
  return whole * Math.min(1, (untilMs - startMs) / DAY_MS)
}

export type DayUse = { day: number; gb: number; priorityGb: number; optInGb: number }

/** The days of a cycle. Beyond the limit, an opted-in line buys more priority data; others use standard data. */
export const listDailyUse = (fleet: Fleet, changes: Changes, line: Line, cycle: Cycle, atMs: number): DayUse[] => {
  const days: DayUse[] = []
  let leftGb = getLimitGb(changes, line, cycle, atMs)
  const untilMs = Math.min(atMs, cycle.endMs)
  for (let day = cycle.startMs / DAY_MS; day * DAY_MS < untilMs; day++) {
    const gb = getDailyGb(fleet, line, day, untilMs)
    if (gb === 0) continue
    const includedGb = Math.min(gb, leftGb)
    leftGb -= includedGb
    const optInGb = isOptedIn(changes, line, Math.min(untilMs, (day + 1) * DAY_MS)) ? gb - includedGb : 0
    days.push({ day, gb, priorityGb: includedGb + optInGb, optInGb })
  }
  return days
}

export const listTopUps = (changes: Changes, line: Line, cycle: Cycle, atMs: number) =>
  (changes.lines.get(line)?.topUps ?? []).filter(
    (topUp) => topUp.atMs >= cycle.startMs && topUp.atMs < cycle.endMs && topUp.atMs <= atMs,
  )

const getLimitGb = (changes: Changes, line: Line, cycle: Cycle, atMs: number) =>
  listTopUps(changes, line, cycle, atMs).reduce((sum, { productId, count }) => {
    const product = BLOCK_PRODUCTS.find((candidate) => candidate.productId === productId)
    return sum + (product?.gb ?? 0) * count
  }, line.plan.limitGb)

const usedBefore = new WeakMap<Fleet, Map<Line, { day: number; usedGb: number }>>()

/** Whether the line has no priority data left, so that the vendor throttles it. */
export const isOutOfData = (fleet: Fleet, changes: Changes, line: Line, atMs: number): boolean => {
  if (isOptedIn(changes, line, atMs)) return false
  const day = Math.floor(atMs / DAY_MS)
  const cycle = getCycle(fleet, line.account, atMs)
  let cache = usedBefore.get(fleet)
  if (!cache) {
    cache = new Map()
    usedBefore.set(fleet, cache)
  }
  let known = cache.get(line)
  if (known?.day !== day) {
    let usedGb = 0
    for (let past = cycle.startMs / DAY_MS; past < day; past++) usedGb += getDailyGb(fleet, line, past, atMs)
    known = { day, usedGb }
    cache.set(line, known)
  }
  return known.usedGb + getDailyGb(fleet, line, day, atMs) >= getLimitGb(changes, line, cycle, atMs)
}
