interface Trend {
  /** Per day. */
  slope: number
  /** The values of the line on the first and the last day. */
  first: number
  last: number
  /** The standard deviation of the days around the line. */
  noise: number
  /** How far the order of the days is from chance, in standard deviations (Mann–Kendall). */
  significance: number
}

export const getMedian = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** The median of the known values; null if there are none. */
export const findMedian = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : getMedian(known)
}

/** Makes the median absolute deviation an estimate of the standard deviation. */
const DEVIATION_OF_MEDIAN = 1.4826

/**
 * The Theil–Sen line through daily values: the median of all slopes between two days. Storms and other outliers, up to a
 * quarter of the days, do not move it. Null if fewer than `minDays` are known.
 */
export const findTrend = (values: readonly (number | null)[], minDays: number): Trend | null => {
  const days = values.flatMap((value, day) => (value === null ? [] : [{ day, value }]))
  if (days.length < minDays) return null
  const slopes: number[] = []
  let concordance = 0
  for (const [index, one] of days.entries())
    for (const other of days.slice(index + 1)) {
      slopes.push((other.value - one.value) / (other.day - one.day))
      concordance += Math.sign(other.value - one.value)
    }
  const slope = getMedian(slopes)
  const intercept = getMedian(days.map(({ day, value }) => value - slope * day))
  const noise = DEVIATION_OF_MEDIAN * getMedian(days.map(({ day, value }) => Math.abs(value - intercept - slope * day)))
  const n = days.length
  const significance = concordance / Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18)
  return { slope, first: intercept, last: intercept + slope * (values.length - 1), noise, significance }
}
