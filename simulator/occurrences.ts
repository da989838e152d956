import { unit } from './noise.ts'

export const YEAR_MS = 365.25 * 86_400_000

export type Occurrence = { index: number; startMs: number }

/**
 * The newest event of a series with `perYear` events a year. Each equal interval of the year has one event at a random
 * time, so the newest event is found without walking through the history.
 */
export const findLastOccurrence = (
  seed: number,
  who: number,
  what: number,
  perYear: number,
  atMs: number,
): Occurrence => {
  const intervalMs = YEAR_MS / perYear
  const interval = Math.floor(atMs / intervalMs)
  const startMs = (interval + unit(seed, who, interval, what)) * intervalMs
  if (startMs <= atMs) return { index: interval, startMs }
  const before = interval - 1
  return { index: before, startMs: (before + unit(seed, who, before, what)) * intervalMs }
}
