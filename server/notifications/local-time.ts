import { toLocalTime } from '#contract/format/times.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** The next time at which the local clock shows this minute of the day, never `atMs` itself. */
export const nextLocalMinute = (atMs: number, wanted: number, timeZone: string): number => {
  const wholeMinute = Math.floor(atMs / MINUTE_MS) * MINUTE_MS
  const { minute } = toLocalTime(atMs, timeZone)
  const ahead = (wanted - minute + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES
  const straight = wholeMinute + ahead * MINUTE_MS
  // If the clocks change in between, this is an hour off. If that local hour does not exist, the result is close enough.
  const off = (toLocalTime(straight, timeZone).minute - wanted + DAY_MINUTES * 1.5) % DAY_MINUTES
  return straight - (off - DAY_MINUTES / 2) * MINUTE_MS
}

export interface QuietTimes {
  fromMinute: number
  untilMinute: number
  timeZone: string
}

export const isQuiet = (atMs: number, { fromMinute, untilMinute, timeZone }: QuietTimes) => {
  const { minute } = toLocalTime(atMs, timeZone)
  if (fromMinute <= untilMinute) return minute >= fromMinute && minute < untilMinute
  return minute >= fromMinute || minute < untilMinute
}
