import { toLocalTime } from '#contract/format/times.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** No zone is further ahead of UTC. */
const FURTHEST_AHEAD_MS = 15 * HOUR_MS
const FURTHEST_BEHIND_MS = 13 * HOUR_MS

const toMs = (day: string, minute: number) => Date.parse(`${day}T00:00:00Z`) + minute * MINUTE_MS

/** The local time in the zone, encoded as if it were UTC. */
const readClockMs = (atMs: number, timeZone: string) => {
  const { day, minute } = toLocalTime(atMs, timeZone)
  return toMs(day, minute)
}

/**
 * The first moment at which local time reaches a minute of a day, such as '2026-11-17' and 150. When 02:30 is skipped in
 * spring, that is the moment of the jump; when it occurs twice in fall, it is the first occurrence.
 */
export const findLocalMoment = (day: string, minute: number, timeZone: string): number => {
  const wantedMs = toMs(day, minute)
  const [early, late] = [wantedMs - FURTHEST_AHEAD_MS, wantedMs + FURTHEST_BEHIND_MS].map(
    (atMs) => wantedMs - (readClockMs(atMs, timeZone) - atMs),
  ) as [number, number]
  let firstMs = Math.min(early, late)
  if (readClockMs(firstMs, timeZone) >= wantedMs) return firstMs
  let lastMs = Math.max(early, late)
  while (lastMs - firstMs > MINUTE_MS) {
    const middleMs = firstMs + Math.floor((lastMs - firstMs) / MINUTE_MS / 2) * MINUTE_MS
    if (readClockMs(middleMs, timeZone) >= wantedMs) lastMs = middleMs
    else firstMs = middleMs
  }
  return lastMs
}
