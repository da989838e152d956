import { hurtsAt } from '#contract/measures.ts'
import type { WarningFigures } from '#contract/warning-figures.ts'
import { findMedian, findTrend } from './trend.ts'

interface Measure {
  /** The distance from perfect, so that rising is always worse. It is its own inverse. */
  toHarm: (value: number) => number
  /** The threshold at which service is interrupted. */
  hurtsAt: number
  /** A smaller rise is not worth a visit. */
  minRise: number
}

const driftMeasures = {
  'growing obstruction': { toHarm: (value) => value, hurtsAt: hurtsAt.obstruction, minRise: 0.003 },
  'fading signal': {
    toHarm: (value) => 1 - value,
    hurtsAt: Math.round((1 - hurtsAt.signalQuality) * 100) / 100,
    minRise: 0.03,
  },
} as const satisfies Record<string, Measure>

type DriftCause = keyof typeof driftMeasures

/** A fast drift shows within two weeks; a slow one takes four to rise out of the noise. */
const WINDOWS = [
  { days: 14, minDays: 11 },
  { days: 28, minDays: 16 },
]
const MIN_SIGNIFICANCE = 3.5
const MIN_RISE_OF_NOISE = 4
/** The share of a rise that the same weeks of the previous year must not explain. */
const MIN_OWN_SHARE = 0.5
/** A warning about an interruption later than this would be premature. */
const LONGEST_WAIT_DAYS = 60
const RECENT_DAYS = 7
const WEEKS_OF_YEAR = 52
const DAY_MS = 86_400_000

interface Series {
  /** The day of the last value, in days since 1970. */
  day: number
  daily: readonly (number | null)[]
  /** Weekly medians up to the current week. */
  weekly: readonly (number | null)[]
}

interface FoundDrift {
  figures: WarningFigures
  confidence: number
}

export const formatDay = (day: number) => new Date(Math.round(day) * DAY_MS).toISOString().slice(0, 10)

export const toDay = (text: string) => Date.parse(text) / DAY_MS

const round = (value: number) => Math.round(value * 10_000) / 10_000

/** How much the measure rose in the same weeks of the previous year; 0 if unknown. */
const findSeasonalRise = ({ weekly }: Series, { toHarm }: Measure, days: number) => {
  const now = weekly.at(-1 - WEEKS_OF_YEAR) ?? null
  const before = weekly.at(-1 - WEEKS_OF_YEAR - Math.round(days / 7)) ?? null
  return now === null || before === null ? 0 : Math.max(0, toHarm(now) - toHarm(before))
}

const toConfidence = (significance: number) =>
  Math.round(Math.min(0.95, 0.7 + 0.1 * (significance - MIN_SIGNIFICANCE)) * 100) / 100

const ENDS_DAYS = 5

/** A cheap filter that skips the trend for almost every terminal, which takes a hundred times as long. */
const mayRise = (harm: readonly (number | null)[], { minRise, hurtsAt }: Measure) => {
  const first = findMedian(harm.slice(0, ENDS_DAYS))
  const last = findMedian(harm.slice(-ENDS_DAYS))
  return last !== null && last < hurtsAt && (first === null || last - first >= minRise / 2)
}

const findNewDrift = (series: Series, measure: Measure): FoundDrift | null => {
  for (const { days, minDays } of WINDOWS) {
    const harm = series.daily.slice(-days).map((value) => (value === null ? null : measure.toHarm(value)))
    if (!mayRise(harm, measure)) continue
    const trend = findTrend(harm, minDays)
    if (!trend || trend.slope <= 0) continue
    const rise = trend.last - trend.first
    const ownRise = rise - findSeasonalRise(series, measure, days)
    const waitDays = (measure.hurtsAt - trend.last) / trend.slope
    const minRise = Math.max(measure.minRise, rise * MIN_OWN_SHARE, MIN_RISE_OF_NOISE * trend.noise)
    const isClear = ownRise >= minRise && trend.significance >= MIN_SIGNIFICANCE
    if (!isClear || waitDays <= 0 || waitDays > LONGEST_WAIT_DAYS) continue
    return {
      figures: {
        // A change that began within the window bends the line, which then starts too low.
        before: round(measure.toHarm(findMedian(harm.slice(0, ENDS_DAYS)) ?? trend.first)),
        now: round(measure.toHarm(trend.last)),
        since: formatDay(series.day - days + 1),
        days,
        hurtsOn: formatDay(series.day + waitDays),
        countries: null,
      },
      confidence: toConfidence(trend.significance),
    }
  }
  return null
}

/** A drift continues until half of it is undone, or until it has not grown for four weeks. */
const followDrift = (series: Series, measure: Measure, known: WarningFigures): FoundDrift | null => {
  const recent = findMedian(series.daily.slice(-RECENT_DAYS))
  const trend = findTrend(
    series.daily.slice(-28).map((value) => (value === null ? null : measure.toHarm(value))),
    RECENT_DAYS,
  )
  // Nothing was reported for four weeks.
  if (!trend) return null
  const before = measure.toHarm(known.before ?? 0)
  const worst = measure.toHarm(known.now)
  const harm = recent === null ? worst : measure.toHarm(recent)
  if (harm <= (before + worst) / 2 || trend.slope <= 0) return null
  const waitDays = (measure.hurtsAt - harm) / trend.slope
  return {
    figures: {
      ...known,
      now: round(measure.toHarm(Math.max(harm, worst))),
      days: series.day - toDay(known.since) + 1,
      hurtsOn: waitDays > 0 && waitDays <= LONGEST_WAIT_DAYS ? formatDay(series.day + waitDays) : null,
    },
    confidence: toConfidence(trend.significance),
  }
}

/** The projection of a slow change of a measure; null if there is none. `known` is the result of the previous day. */
export const findDrift = (series: Series, cause: DriftCause, known: WarningFigures | null): FoundDrift | null =>
  known ? followDrift(series, driftMeasures[cause], known) : findNewDrift(series, driftMeasures[cause])
