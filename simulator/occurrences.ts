import { unit } from './noise.ts'

export const YEAR_MS = 365.25 * 86_400_000

export type Occurrence = { index: number; startMs: number }

/**
 * The newest of a series of events that come `perYear` times a year: the year is cut into equal stretches and each
 * holds one event at a drawn moment, so no history has to be walked.
 */
export const lastOccurrence = (seed: number, who: number, what: number, perYear: number, atMs: number): Occurrence => {
  const stretchMs = YEAR_MS / perYear
  const stretch = Math.floor(atMs / stretchMs)
  const startMs = (stretch + unit(seed, who, stretch, what)) * stretchMs
  if (startMs <= atMs) return { index: stretch, startMs }
  const before = stretch - 1
  return { index: before, startMs: (before + unit(seed, who, before, what)) * stretchMs }
}
