const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

const formats = new Map<string, Intl.DateTimeFormat>()

const getFormat = (timeZone: string) => {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(timeZone, format)
  }
  return format
}

/** The local day, and the minute of that day. */
export const toLocalTime = (atMs: number, timeZone: string) => {
  const parts = Object.fromEntries(
    getFormat(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  )
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    minute: Number(parts.hour) * 60 + Number(parts.minute),
  }
}

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
