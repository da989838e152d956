import { dot, invert, type Matrix, times, type Vector, zeros } from './matrix.ts'

export interface FutureDay {
  /** Days after the last known one. */
  ahead: number
  weekday: number
  /** How much of the day remains, 0 to 1. */
  part: number
}

/** The forecast total of some days. */
export interface Sum {
  mean: number
  /** From noise, and from uncertainty about the model. */
  variance: number
}

/** The usage of a day is exp(level + trend × time + weekday) times a random factor of mean one. */
export interface Model {
  /** The sums up to each of the days. */
  forecastSums: (days: readonly FutureDay[]) => Sum[]
  /** Degrees of freedom of the noise estimate. */
  freedom: number
}

const WEEKDAYS = 7
const LEVEL = 0
const TREND = 1
const FIRST_WEEKDAY = 2
const SIZE = FIRST_WEEKDAY + WEEKDAYS

// The prior standard deviations of level, trend (per day) and weekdays. Those of trend and weekdays are then learned from data.
const LEVEL_SPREAD = 10
const TREND_SPREAD = 0.003
const WEEKDAY_SPREAD = 0.5
const WEEKDAY_DOUBT = 2

const HALF_LIFE_DAYS = 42
const MAX_ROUNDS = 12
const CLOSE_ENOUGH = 1e-4
const MIN_NOISE = 1e-4
const LITTLE = 0.05
const MAX_CARRY = 0.7

interface Place {
  ahead: number
  weekday: number
}

const meanAt = (beta: Vector, { ahead, weekday }: Place) => {
  const log = (beta[LEVEL] as number) + (beta[TREND] as number) * ahead + (beta[FIRST_WEEKDAY + weekday] as number)
  return Math.exp(Math.min(6, Math.max(-9, log)))
}

/** In units of the noise. The constant keeps a small amount on an idle day from counting as a large deviation. */
const varianceAt = (mean: number) => mean ** 2 + LITTLE ** 2

/** Adds to a vector how a day's mean depends on level, trend and weekday, times a factor. */
const addSlope = (vector: Vector, { ahead, weekday }: Place, factor: number) => {
  const column = FIRST_WEEKDAY + weekday
  vector[LEVEL] = (vector[LEVEL] as number) + factor
  vector[TREND] = (vector[TREND] as number) + factor * ahead
  vector[column] = (vector[column] as number) + factor
}

/** How much more a sum of days varies if each day carries over the share `carry` of the previous deviation. */
const sumFactor = (days: number, carry: number) => {
  let factor = 1
  for (let lag = 1; lag < days; lag++) factor += 2 * (1 - lag / days) * carry ** lag
  return factor
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** The autocorrelation of neighboring days, corrected because fitting hides part of it and chance exaggerates it. */
const estimateCarry = (residuals: Vector, fitted: number) => {
  const square = dot(residuals, residuals)
  if (square === 0) return 0
  const count = residuals.length
  const correlation = dot(residuals.slice(1), residuals.slice(0, -1)) / square
  return Math.min(MAX_CARRY, Math.max(0, correlation + fitted / count / 4 - 0.5 / Math.sqrt(count)))
}

/**
 * Fits the model to days in chronological order, the last one on `lastWeekday`: a generalized linear model with a
 * logarithmic link and variance in proportion to the squared mean, so that days without usage are allowed and sums are
 * unbiased. Newer days count more, since habits change.
 */
export const fitModel = (days: readonly number[], lastWeekday: number): Model => {
  const scale = sum(days) / days.length
  const observed = days.map((gb) => gb / scale)
  const places = days.map((_, index): Place => {
    const ahead = index - (days.length - 1)
    return { ahead, weekday: (((lastWeekday + ahead) % WEEKDAYS) + WEEKDAYS) % WEEKDAYS }
  })
  const weights = places.map(({ ahead }) => 0.5 ** (-ahead / HALF_LIFE_DAYS))
  const totalWeight = sum(weights)

  let beta = zeros(SIZE)
  let residuals = zeros(days.length)
  let covariance: Matrix = []
  let noise = 0.1
  let fitted = SIZE
  let trendSpread = TREND_SPREAD
  let weekdaySpread = WEEKDAY_SPREAD
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const information: Matrix = Array.from({ length: SIZE }, () => zeros(SIZE))
    const target = zeros(SIZE)
    for (const [index, place] of places.entries()) {
      const mean = meanAt(beta, place)
      const working = Math.log(mean) + ((observed[index] as number) - mean) / mean
      const weight = ((weights[index] as number) * mean ** 2) / varianceAt(mean)
      addSlope(target, place, weight * working)
      addSlope(information[LEVEL] as Vector, place, weight)
      addSlope(information[TREND] as Vector, place, weight * place.ahead)
      addSlope(information[FIRST_WEEKDAY + place.weekday] as Vector, place, weight)
    }
    const getSpread = (a: number) => (a === LEVEL ? LEVEL_SPREAD : a === TREND ? trendSpread : weekdaySpread)
    covariance = invert(information.map((row, a) => row.with(a, (row[a] as number) + noise / getSpread(a) ** 2)))
    const before = beta
    beta = times(covariance, target)
    fitted = sum(covariance.map((row, a) => dot(row, information[a] as Vector)))
    residuals = places.map((place, index) => {
      const mean = meanAt(beta, place)
      return ((observed[index] as number) - mean) / Math.sqrt(varianceAt(mean))
    })
    const squares = sum(residuals.map((residual, index) => (weights[index] as number) * residual ** 2))
    noise = Math.max(MIN_NOISE, squares / Math.max(1, totalWeight - fitted))

    const sizes = beta.map((value, a) => value ** 2 + noise * ((covariance[a] as Vector)[a] as number))
    trendSpread = Math.sqrt(((sizes[TREND] as number) + TREND_SPREAD ** 2) / 2)
    weekdaySpread = Math.sqrt(
      (sum(sizes.slice(FIRST_WEEKDAY)) + WEEKDAY_DOUBT * WEEKDAY_SPREAD ** 2) / (WEEKDAYS + WEEKDAY_DOUBT),
    )
    if (beta.every((value, a) => Math.abs(value - (before[a] as number)) < CLOSE_ENOUGH)) break
  }

  const carry = estimateCarry(residuals, fitted)
  const knownFactor = sumFactor(days.length, carry)
  return {
    freedom: Math.max(3, totalWeight - fitted),
    forecastSums: (future) => {
      const slope = zeros(SIZE)
      let mean = 0
      let own = 0
      return future.map((day, index) => {
        const whole = meanAt(beta, day)
        mean += day.part * whole
        own += day.part * varianceAt(whole)
        addSlope(slope, day, day.part * whole)
        const doubt = dot(slope, times(covariance, slope))
        const variance = noise * (own * sumFactor(index + 1, carry) + doubt * knownFactor)
        return { mean: scale * mean, variance: scale ** 2 * variance }
      })
    },
  }
}
