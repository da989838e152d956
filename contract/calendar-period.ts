export const calendarPeriods = ['day', 'week', 'month', 'quarter', 'year', 'custom'] as const
export type CalendarPeriod = (typeof calendarPeriods)[number]

const DAY_MS = 86_400_000

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const toMs = (day: string) => Date.parse(`${day}T00:00:00Z`)

/** The day that is so many days later. */
export const addDays = (day: string, days: number) => toDay(toMs(day) + days * DAY_MS)

const MONTHS = { month: 1, quarter: 3, year: 12 }

/** The first day of the period that contains `day`, shifted by `later` periods. Weeks begin on Monday. */
const findStart = (period: Exclude<CalendarPeriod, 'custom'>, day: string, later: number) => {
  const date = new Date(`${day}T00:00:00Z`)
  if (period === 'day') return addDays(day, later)
  if (period === 'week') return addDays(day, -((date.getUTCDay() + 6) % 7) + later * 7)
  const months = MONTHS[period]
  const first = Math.floor(date.getUTCMonth() / months) * months
  return toDay(Date.UTC(date.getUTCFullYear(), first + later * months, 1))
}

export interface DaySpan {
  firstDay: string
  lastDay: string
}

/** The first and last day of a period, inclusive. A custom period takes both as given. */
export const findPeriod = (period: CalendarPeriod, day: string, lastDay = day): DaySpan =>
  period === 'custom'
    ? { firstDay: day, lastDay }
    : { firstDay: findStart(period, day, 0), lastDay: addDays(findStart(period, day, 1), -1) }

/** The period before (-1) or after (1). A custom one moves by its own length. */
export const shiftPeriod = (period: CalendarPeriod, { firstDay, lastDay }: DaySpan, by: -1 | 1): DaySpan => {
  if (period !== 'custom') return findPeriod(period, findStart(period, firstDay, by))
  const days = by * (Math.round((toMs(lastDay) - toMs(firstDay)) / DAY_MS) + 1)
  return { firstDay: addDays(firstDay, days), lastDay: addDays(lastDay, days) }
}
