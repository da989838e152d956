/** Days are 'YYYY-MM-DD', the vendor's, in UTC: never a Date, which would shift with the machine's zone. */
export type Day = string

const DAY_MS = 24 * 60 * 60_000

const startMs = (day: Day) => Date.parse(`${day}T00:00:00Z`)

export const toDay = (moment: Date): Day => moment.toISOString().slice(0, 10)

export const addDays = (day: Day, count: number): Day => toDay(new Date(startMs(day) + count * DAY_MS))

export const daysBetween = (from: Day, to: Day) => Math.round((startMs(to) - startMs(from)) / DAY_MS)

/** 0 is Sunday. */
export const getWeekday = (day: Day) => new Date(startMs(day)).getUTCDay()

/** How much of its UTC day has passed at a moment: 0 to 1. */
export const getDayFraction = (moment: Date) => (moment.getTime() % DAY_MS) / DAY_MS
