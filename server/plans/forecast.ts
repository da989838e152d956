import type { Forecast, UnknownReason } from '#contract/forecast.ts'
import { addDays, type Day, daysBetween, getWeekday } from './days.ts'
import { fitModel, type Sum } from './forecast-model.ts'

export interface Use {
  /** GB of each whole day in chronological order, ending the day before `today`; days without usage are zero. */
  days: readonly number[]
  today: Day
  /** How much of today the figures cover, 0 to 1. */
  passedOfToday: number
  /** In the cycle so far, including today. */
  usedGb: number
  limitGb: number | null
  /** The first day of the next cycle. */
  cycleEnd: Day
}

/** Two weeks show each weekday twice; with fewer days, a pattern cannot be distinguished from chance. */
export const DAYS_NEEDED = 14
export const HISTORY_DAYS = 56

const TENTH = -1.2815515655446004

/** The normal deviate that is as likely as a deviate `t` of Student's distribution, and the inverse. */
const toNormal = (t: number, freedom: number) => (t * (1 - 1 / (4 * freedom))) / Math.sqrt(1 + t ** 2 / (2 * freedom))
const toStudent = (z: number, freedom: number) => z / Math.sqrt((1 - 1 / (4 * freedom)) ** 2 - z ** 2 / (2 * freedom))

const normalShareBelow = (z: number) => {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const tail =
    (Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return z > 0 ? 1 - tail : tail
}

/** The remaining usage, as a distribution that is never negative. */
const buildDistribution = ({ mean, variance }: Sum, freedom: number) => {
  // At the very end of a cycle nothing remains.
  if (mean <= 0) return { quantile: () => 0, shareAbove: () => 0 }
  const sigma = Math.sqrt(Math.log(1 + variance / mean ** 2))
  const middle = mean / Math.exp(sigma ** 2 / 2)
  return {
    quantile: (z: number) => middle * Math.exp(toStudent(z, freedom) * sigma),
    shareAbove: (gb: number) =>
      gb <= 0 ? 1 : 1 - normalShareBelow(toNormal(Math.log(gb / middle) / Math.max(sigma, 1e-9), freedom)),
  }
}

const trimHistory = (days: readonly number[]) => {
  const first = days.findIndex((gb) => gb > 0)
  return first === -1 ? [] : days.slice(Math.max(first, days.length - HISTORY_DAYS))
}

export const nothingKnown: Forecast = { known: false, reason: 'too few days', days: 0, days_needed: DAYS_NEEDED }

/** Whether the data will last until the cycle ends, from the daily pattern of past usage. */
export const forecast = ({ days, today, passedOfToday, usedGb, limitGb, cycleEnd }: Use): Forecast => {
  const known = trimHistory(days)
  const unknown = (reason: UnknownReason): Forecast => ({
    ...nothingKnown,
    reason,
    days: known.length,
  })
  if (limitGb === null) return unknown('no limit')
  if (today >= cycleEnd) return unknown('cycle over')
  if (known.length < DAYS_NEEDED)
    return unknown(days.length >= DAYS_NEEDED && known.length === 0 ? 'no use' : 'too few days')
  if (known.slice(-DAYS_NEEDED).every((gb) => gb === 0)) return unknown('no use')

  const model = fitModel(known, getWeekday(addDays(today, -1)))
  const future = Array.from({ length: daysBetween(today, cycleEnd) }, (_, index) => ({
    ahead: index + 1,
    weekday: getWeekday(addDays(today, index)),
    part: index === 0 ? 1 - passedOfToday : 1,
  }))
  const sums = model.forecastSums(future)
  const last = sums.at(-1) as Sum
  const rest = buildDistribution(last, model.freedom)
  const estimate = {
    known: true as const,
    expected_GB: usedGb + last.mean,
    low_GB: usedGb + rest.quantile(TENTH),
    high_GB: usedGb + rest.quantile(-TENTH),
  }
  if (usedGb >= limitGb) return { ...estimate, probability: 1, earliest: today, latest: today, reached: true }

  let probability = 0
  let earliest: Day | null = null
  let latest: Day | null = null
  for (const [index, upTo] of sums.entries()) {
    // The approximation may dip, but more days never make it less likely.
    probability = Math.max(probability, buildDistribution(upTo, model.freedom).shareAbove(limitGb - usedGb))
    if (probability >= 0.1) earliest ??= addDays(today, index)
    if (probability >= 0.9) latest ??= addDays(today, index)
  }
  return { ...estimate, probability, earliest, latest, reached: false }
}
