import { toLocalTime } from '#contract/format/times.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** No zone is further from UTC. */
const FURTHEST_AHEAD_MS = 15 * HOUR_MS
const FURTHEST_BEHIND_MS = 13 * HOUR_MS

const toMs = (day: string, minute: number) => Date.parse(`${day}T00:00:00Z`) + minute * MINUTE_MS

/** What a clock in the zone shows, as if it were in UTC. */
const readClockMs = (atMs: number, timeZone: string) => {
  const { day, minute } = toLocalTime(atMs, timeZone)
  return toMs(day, minute)
}

/**
 * The first moment at which clocks in the zone have reached a minute of a day, such as '2026-11-17' and 150. In spring,
 * when 02:30 is skipped, that is when they jump; in autumn, when it comes twice, it is the first of the two.
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
