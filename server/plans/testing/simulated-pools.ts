import { createRandom } from '../../testing/random.ts'
import { addDays, type Day, getWeekday } from '../days.ts'
import type { Use } from '../forecast.ts'

/** Sunday first. */
const SHAPES = {
  flat: [1, 1, 1, 1, 1, 1, 1],
  office: [0.1, 1.3, 1.35, 1.4, 1.35, 1.3, 0.2],
  home: [1.3, 0.9, 0.85, 0.85, 0.9, 1, 1.2],
  mixed: [0.6, 1.1, 1.1, 1.2, 1.1, 1.1, 0.8],
}
const TREND_SPREAD = 0.005
const CYCLE_DAYS = 30
const TODAY: Day = '2026-11-15'

const createDistributions = (seed: number) => {
  const uniform = createRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
  return { uniform, normal, between: (low: number, high: number) => low + uniform() * (high - low) }
}

export interface SimulatedPool {
  use: Use
  /** The usage of the whole cycle. */
  total: number
  elapsedDays: number
  cycleDays: number
}

/**
 * Pools from a known process: a weekly shape, a trend, and lognormal days, each of which carries over some of the
 * previous day's deviation. Two to ten weeks are known, and today is somewhere within the cycle.
 */
export const simulatePools = ({ count, seed }: { count: number; seed: number }): SimulatedPool[] => {
  const { uniform, normal, between } = createDistributions(seed)
  const shapes = Object.values(SHAPES)
  return Array.from({ length: count }, () => {
    const shape = shapes[Math.floor(uniform() * shapes.length)] as number[]
    const trend = normal() * TREND_SPREAD
    const sigma = between(0.1, 0.4)
    const carry = between(0, 0.4)
    const elapsedDays = Math.floor(between(3, CYCLE_DAYS - 2))
    const knownDays = Math.max(elapsedDays, Math.floor(between(16, 70)))
    const restDays = CYCLE_DAYS - elapsedDays
    let deviation = normal() * sigma
    const days = Array.from({ length: knownDays + restDays }, (_, index) => {
      const ahead = index - knownDays
      deviation = carry * deviation + Math.sqrt(1 - carry ** 2) * sigma * normal()
      const weekday = shape[getWeekday(addDays(TODAY, ahead))] as number
      return 100 * weekday * Math.exp(trend * ahead + deviation - sigma ** 2 / 2)
    })
    const sum = (part: number[]) => part.reduce((total, gb) => total + gb, 0)
    const usedGb = sum(days.slice(knownDays - elapsedDays, knownDays))
    const total = sum(days.slice(knownDays - elapsedDays))
    return {
      use: {
        days: days.slice(0, knownDays),
        today: TODAY,
        passedOfToday: 0,
        usedGb,
        limitGb: total,
        cycleEnd: addDays(TODAY, restDays),
      },
      total,
      elapsedDays,
      cycleDays: CYCLE_DAYS,
    }
  })
}

/** The naive forecast: the rest of the cycle continues at the average so far. */
export const extrapolate = ({ use, elapsedDays, cycleDays }: SimulatedPool) => (use.usedGb / elapsedDays) * cycleDays
