import { between, unit } from './noise.ts'
import { findLastOccurrence } from './occurrences.ts'
import { PURPOSE } from './purposes.ts'

export type Weather = { rain: number; snow: number }

const FRONTS_PER_YEAR = 90
const HOUR_MS = 3_600_000
const CLEAR: Weather = { rain: 0, snow: 0 }

/** The strength, 0–1, of the current front over a region: snow from October to April, otherwise rain. */
export const getWeather = (seed: number, region: number, atMs: number): Weather => {
  const { index, startMs } = findLastOccurrence(seed, region, PURPOSE.weather, FRONTS_PER_YEAR, atMs)
  const lengthMs = between(3, 14, unit(seed, region, index, PURPOSE.weatherLength)) * HOUR_MS
  const progress = (atMs - startMs) / lengthMs
  if (progress >= 1) return CLEAR
  const strength = between(0.4, 1, unit(seed, region, index, PURPOSE.weatherStrength)) * Math.sin(Math.PI * progress)
  const month = new Date(atMs).getUTCMonth()
  return month >= 9 || month <= 3 ? { rain: 0, snow: strength } : { rain: strength, snow: 0 }
}
