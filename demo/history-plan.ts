/** A time range of the history, and how often each terminal reports in it. */
export interface Piece {
  fromMs: number
  toMs: number
  stepMs: number
}

const MIN_MS = 60_000
const HOUR_MS = 60 * MIN_MS
const DAY_MS = 24 * HOUR_MS
// Buckets of every tier start at a multiple of this.
const WHOLE_MS = 2 * HOUR_MS

export const HISTORY_DAYS = 60

const floorToWhole = (atMs: number) => Math.floor(atMs / WHOLE_MS) * WHOLE_MS

/**
 * Sixty days up to `beganMs` in pieces, newest first, so that the short charts are filled first. Older samples are
 * farther apart, because only their averages are retained.
 */
export const planHistory = (beganMs: number): Piece[] => {
  const pieces: Piece[] = []
  const add = (fromMs: number, toMs: number, stepMs: number) => {
    pieces.push({ fromMs, toMs, stepMs })
    return fromMs
  }
  const finestMs = floorToWhole(beganMs - 3 * HOUR_MS)
  let toMs = add(finestMs, beganMs, 15_000)
  while (toMs > beganMs - 44 * HOUR_MS) toMs = add(toMs - 6 * HOUR_MS, toMs, MIN_MS)
  while (toMs > beganMs - 8 * DAY_MS) toMs = add(toMs - DAY_MS, toMs, 2 * MIN_MS)
  while (toMs > beganMs - HISTORY_DAYS * DAY_MS) toMs = add(toMs - DAY_MS, toMs, 5 * MIN_MS)
  return pieces
}
