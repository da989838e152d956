// Times look the same for every reader: English, on a 24-hour clock, so that AM and PM cannot be confused.
const LOCALE = 'en-US'

type Moment = Date | number

const STYLES = {
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  clockWithZone: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' },
  dayAndClock: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  moment: {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  },
  dateTime: {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  },
  sample: {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
  exact: {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  },
  iso: {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  },
  date: { year: 'numeric', month: 'short', day: 'numeric' },
  shortDate: { year: '2-digit', month: '2-digit', day: '2-digit' },
  day: { month: 'short', day: 'numeric' },
  month: { month: 'long' },
  shortMonth: { month: 'short' },
  yearAndMonth: { year: 'numeric', month: 'long' },
  parts: {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

// Creating a format takes longer than using it a hundred times.
const formats = new Map<string, Intl.DateTimeFormat>()

const getFormat = (style: keyof typeof STYLES, timeZone: string | undefined) => {
  const key = `${style} ${timeZone}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(LOCALE, { ...STYLES[style], timeZone })
    formats.set(key, format)
  }
  return format
}

const write = (style: keyof typeof STYLES) => (at: Moment, timeZone?: string) => getFormat(style, timeZone).format(at)

// Without a zone, these use the time zone of the machine they run on: in a browser, the reader's.

/** '14:02', for what happened today. */
export const formatClock = write('clock')

/** '14:02 AKST'. */
export const formatClockWithZone = write('clockWithZone')

/** 'Nov 17, 14:00', on the axis of a chart. */
export const formatDayAndClock = write('dayAndClock')

/** 'Nov 17, 14:02 AKST', for recent events. */
export const formatMoment = write('moment')

/** 'Nov 17, 2026, 14:02 AKST', for events of any age. */
export const formatDateTime = write('dateTime')

/** 'Nov 17, 14:02:15', for a sample in a chart. */
export const formatSampleTime = write('sample')

/** 'Nov 17, 2026, 14:02:15 AKST'. */
export const formatExactTime = write('exact')

/** 'Nov 17, 2026'. */
export const formatDate = write('date')

/** '11/17/26'. */
export const formatShortDate = write('shortDate')

const HALF_DAY_MS = 12 * 3_600_000

/** '14:02' for today, else 'Nov 17, 14:02'. */
export const formatRecent = (atMs: number, nowMs: number) =>
  nowMs - atMs < HALF_DAY_MS ? formatClock(atMs) : formatDayAndClock(atMs)

// The vendor counts days in UTC, so its days are formatted in UTC wherever the reader is.
const toStartOfDay = (day: string) => new Date(`${day}T00:00:00Z`)

/** 'Nov 21', from the day '2026-11-21'. */
export const formatDay = (day: string) => getFormat('day', 'UTC').format(toStartOfDay(day))

/** 'November', from the month '2026-11'. */
export const formatMonth = (month: string) => getFormat('month', 'UTC').format(toStartOfDay(`${month}-01`))

/** 'Nov', for narrow spaces. */
export const formatShortMonth = (month: string) => getFormat('shortMonth', 'UTC').format(toStartOfDay(`${month}-01`))

/** 'November 2026', from the month '2026-11'. */
export const formatYearAndMonth = (month: string) =>
  getFormat('yearAndMonth', 'UTC').format(toStartOfDay(`${month}-01`))

/** 'between Nov 21 and 24', 'between Nov 28 and Dec 2', 'on Nov 21'. */
export const formatDaySpan = (from: string, to: string) => {
  if (from === to) return `on ${formatDay(from)}`
  const isSameMonth = from.slice(0, 7) === to.slice(0, 7)
  return `between ${formatDay(from)} and ${isSameMonth ? toStartOfDay(to).getUTCDate() : formatDay(to)}`
}

const toParts = (style: keyof typeof STYLES, at: Moment, timeZone: string) =>
  Object.fromEntries(
    getFormat(style, timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )

/** '2026-11-17T14:02:15.250-09:00', for programs. The offset disambiguates the hour that occurs twice in autumn. */
export const formatIsoTime = (at: Moment, timeZone: string) => {
  const { year, month, day, hour, minute, second, fractionalSecond, timeZoneName } = toParts('iso', at, timeZone)
  const offset = timeZoneName?.replace(/^GMT(\+00:00)?/, '') || 'Z'
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${fractionalSecond}${offset}`
}

/** The local day, and the minute of that day. */
export const toLocalTime = (at: Moment, timeZone: string) => {
  const { year, month, day, hour, minute } = toParts('parts', at, timeZone)
  return { day: `${year}-${month}-${day}`, minute: Number(hour) * 60 + Number(minute) }
}

/** The zone of the machine: in a browser, the reader's. */
export const getOwnTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** The time zones that this machine knows, plus the selected one, which may be an unlisted alias. */
export const listTimeZones = (chosen: string) =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen])].sort()

export const isTimeZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat(LOCALE, { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
