import { formatLength } from '#contract/format/durations.ts'
import type { PeriodMin } from '#contract/period.ts'

export const chartLines = ['average', 'median', 'p95'] as const
/** The line of the charts: the points themselves, or a rolling quantile. */
export type ChartLine = (typeof chartLines)[number]
export type Quantile = Exclude<ChartLine, 'average'>

const ranks: Record<Quantile, number> = { median: 0.5, p95: 0.95 }

export const quantileNames: Record<Quantile, string> = { median: 'Median', p95: '95th percentile' }

/** Long enough for 20 to 30 points around each time. */
const windowsMin: Record<PeriodMin, number> = { 15: 5, 180: 5, 1440: 60, 10080: 360, 43200: 1440, 86400: 2880 }

interface Series {
  atMs: readonly number[]
  values: readonly (number | null)[]
}

/** A rolling quantile by nearest rank: always one of the values. Null where too few are known. */
export function rollQuantile({ atMs, values }: Series, windowMs: number, stepMs: number, quantile: Quantile) {
  const least = Math.floor(windowMs / stepMs / 2)
  let [first, end] = [0, 0]
  return values.map((value, index) => {
    const at = atMs[index] as number
    while ((atMs[first] as number) < at - windowMs / 2) first++
    while (end < atMs.length && (atMs[end] as number) <= at + windowMs / 2) end++
    if (value === null) return null
    const known = values.slice(first, end).filter((each) => each !== null)
    if (known.length < least) return null
    return known.sort((a, b) => a - b)[Math.ceil(ranks[quantile] * known.length) - 1] ?? null
  })
}

export const getWindowMs = (period: PeriodMin) => windowsMin[period] * 60_000

/** What the line shows, in words. Averages hide single samples, so a quantile of averages is labeled as such. */
export function describeQuantile(quantile: Quantile, period: PeriodMin, stepS: number, isOfSamples: boolean) {
  const points = isOfSamples ? 'the samples' : `averages of ${formatLength(stepS)},`
  return `${quantileNames[quantile]} of ${points} within ${formatLength(windowsMin[period] * 60)} around each moment`
}
