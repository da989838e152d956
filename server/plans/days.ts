/** The vendor's days, in UTC, as 'YYYY-MM-DD'. A Date would shift with the machine's time zone. */
export type Day = string

const DAY_MS = 24 * 60 * 60_000

const startMs = (day: Day) => Date.parse(`${day}T00:00:00Z`)

export const toDay = (moment: Date): Day => moment.toISOString().slice(0, 10)

export const addDays = (day: Day, count: number): Day => toDay(new Date(startMs(day) + count * DAY_MS))

export const daysBetween = (from: Day, to: Day) => Math.round((startMs(to) - startMs(from)) / DAY_MS)

/** 0 is Sunday. */
export const getWeekday = (day: Day) => new Date(startMs(day)).getUTCDay()

/** The fraction of the UTC day that has passed at this time, 0 to 1. */
export const getDayFraction = (moment: Date) => (moment.getTime() % DAY_MS) / DAY_MS
