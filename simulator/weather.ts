import { between, unit } from './noise.ts'
import { lastOccurrence } from './occurrences.ts'
import { FOR } from './purposes.ts'

export type Weather = { rain: number; snow: number }

const FRONTS_PER_YEAR = 90
const HOUR_MS = 3_600_000
const CLEAR: Weather = { rain: 0, snow: 0 }

/** Strength 0–1 of the front that lies over a region: snow from October to April, rain else. */
export const weatherAt = (seed: number, region: number, atMs: number): Weather => {
  const { index, startMs } = lastOccurrence(seed, region, FOR.weather, FRONTS_PER_YEAR, atMs)
  const lengthMs = between(3, 14, unit(seed, region, index, FOR.weatherLength)) * HOUR_MS
  const progress = (atMs - startMs) / lengthMs
  if (progress >= 1) return CLEAR
  const strength = between(0.4, 1, unit(seed, region, index, FOR.weatherStrength)) * Math.sin(Math.PI * progress)
  const month = new Date(atMs).getUTCMonth()
  return month >= 9 || month <= 3 ? { rain: 0, snow: strength } : { rain: strength, snow: 0 }
}
