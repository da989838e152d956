import { dot, invert, type Matrix, times, type Vector, zeros } from './matrix.ts'

export interface FutureDay {
  /** Days after the last known one. */
  ahead: number
  weekday: number
  /** How much of the day is still to come. */
  part: number
}

/** Use of a day is exp(level + trend × time + weekday) times a random factor of mean one. */
export interface Model {
  meanOf: (day: FutureDay) => number
  /** Of the sum of the days, from noise and from not knowing the model exactly. */
  varianceOf: (days: readonly FutureDay[]) => number
  /** Degrees of freedom of the noise: how much was known. */
  freedom: number
}

const WEEKDAYS = 7
const LEVEL = 0
const TREND = 1
const FIRST_WEEKDAY = 2
const SIZE = FIRST_WEEKDAY + WEEKDAYS

// How far level, trend (per day) and weekdays stray, before anything is known; weekdays and trend are then learnt.
const LEVEL_SPREAD = 10
const TREND_SPREAD = 0.003
const WEEKDAY_SPREAD = 0.5
const WEEKDAY_DOUBT = 2

const HALF_LIFE_DAYS = 42
const MOST_ROUNDS = 12
const CLOSE_ENOUGH = 1e-5
const LEAST_NOISE = 1e-4
const LITTLE = 0.05
const MOST_CARRY = 0.7

const rowOf = (ahead: number, weekday: number): Vector => {
  const row = zeros(SIZE)
  row[LEVEL] = 1
  row[TREND] = ahead
  row[FIRST_WEEKDAY + weekday] = 1
  return row
}

/** The columns of a row that are not zero: level, trend and one weekday. */
const filled = (row: Vector) => [LEVEL, TREND, row.indexOf(1, FIRST_WEEKDAY)]

/** In units of the noise. A day on which nobody works would else count as a great deviation from very little. */
const varianceAt = (mean: number) => mean ** 2 + LITTLE ** 2

const meanAt = (row: Vector, beta: Vector) => Math.exp(Math.min(6, Math.max(-9, dot(row, beta))))

/** How much more a sum of days varies when each takes `carry` of its deviation over from the day before. */
const sumFactor = (days: number, carry: number) => {
  let factor = 1
  for (let lag = 1; lag < days; lag++) factor += 2 * (1 - lag / days) * carry ** lag
  return factor
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Likeness of neighbouring days. Fitting hides a part of it, chance shows more than there is. */
const carryOf = (residuals: Vector, fitted: number) => {
  const square = dot(residuals, residuals)
  if (square === 0) return 0
  const count = residuals.length
  const likeness = dot(residuals.slice(1), residuals.slice(0, -1)) / square
  return Math.min(MOST_CARRY, Math.max(0, likeness + fitted / count / 4 - 0.5 / Math.sqrt(count)))
}

/**
 * Fits the model to days in order of time, the last one on `lastWeekday`: a generalised linear model with a logarithmic
 * link and variance in proportion to the squared mean, so that days without use are allowed and sums are unbiased.
 * Newer days count more, since habits change.
 */
export const fitModel = (days: readonly number[], lastWeekday: number): Model => {
  const scale = sum(days) / days.length
  const observed = days.map((gb) => gb / scale)
  const aheadOf = (index: number) => index - (days.length - 1)
  const rows = days.map((_, index) =>
    rowOf(aheadOf(index), (((lastWeekday + aheadOf(index)) % WEEKDAYS) + WEEKDAYS) % WEEKDAYS),
  )
  const weights = days.map((_, index) => 0.5 ** (-aheadOf(index) / HALF_LIFE_DAYS))
  const totalWeight = sum(weights)

  let beta = zeros(SIZE)
  let residuals = zeros(days.length)
  let covariance: Matrix = []
  let noise = 0.1
  let fitted = SIZE
  let trendSpread = TREND_SPREAD
  let weekdaySpread = WEEKDAY_SPREAD
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const information: Matrix = Array.from({ length: SIZE }, () => zeros(SIZE))
    const target = zeros(SIZE)
    for (const [index, row] of rows.entries()) {
      const mean = meanAt(row, beta)
      const working = Math.log(mean) + ((observed[index] as number) - mean) / mean
      const weight = ((weights[index] as number) * mean ** 2) / varianceAt(mean)
      for (const a of filled(row)) {
        target[a] = (target[a] as number) + weight * (row[a] as number) * working
        const line = information[a] as Vector
        for (const b of filled(row)) line[b] = (line[b] as number) + weight * (row[a] as number) * (row[b] as number)
      }
    }
    const spreadOf = (a: number) => (a === LEVEL ? LEVEL_SPREAD : a === TREND ? trendSpread : weekdaySpread)
    covariance = invert(information.map((row, a) => row.with(a, (row[a] as number) + noise / spreadOf(a) ** 2)))
    const before = beta
    beta = times(covariance, target)
    fitted = sum(covariance.map((row, a) => dot(row, information[a] as Vector)))
    residuals = rows.map((row, index) => {
      const mean = meanAt(row, beta)
      return ((observed[index] as number) - mean) / Math.sqrt(varianceAt(mean))
    })
    const squares = sum(residuals.map((residual, index) => (weights[index] as number) * residual ** 2))
    noise = Math.max(LEAST_NOISE, squares / Math.max(1, totalWeight - fitted))

    const sizes = beta.map((value, a) => value ** 2 + noise * ((covariance[a] as Vector)[a] as number))
    trendSpread = Math.sqrt(((sizes[TREND] as number) + TREND_SPREAD ** 2) / 2)
    weekdaySpread = Math.sqrt(
      (sum(sizes.slice(FIRST_WEEKDAY)) + WEEKDAY_DOUBT * WEEKDAY_SPREAD ** 2) / (WEEKDAYS + WEEKDAY_DOUBT),
    )
    if (beta.every((value, a) => Math.abs(value - (before[a] as number)) < CLOSE_ENOUGH)) break
  }

  const carry = carryOf(residuals, fitted)
  const knownFactor = sumFactor(days.length, carry)
  const meanOf = ({ ahead, weekday, part }: FutureDay) => part * scale * meanAt(rowOf(ahead, weekday), beta)
  return {
    meanOf,
    varianceOf: (future) => {
      const gradient = zeros(SIZE)
      let own = 0
      for (const day of future) {
        const mean = meanOf(day)
        if (day.part > 0) own += day.part * scale ** 2 * varianceAt(mean / scale / day.part)
        const row = rowOf(day.ahead, day.weekday)
        for (let a = 0; a < SIZE; a++) gradient[a] = (gradient[a] as number) + mean * (row[a] as number)
      }
      const doubt = dot(gradient, times(covariance, gradient))
      return noise * (own * sumFactor(future.length, carry) + doubt * knownFactor)
    },
    freedom: Math.max(3, totalWeight - fitted),
  }
}
