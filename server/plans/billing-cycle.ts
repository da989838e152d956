import type { Day } from './days.ts'

/** From `start` through the day before `end`. */
export interface Cycle {
  start: Day
  end: Day
}

/** The day on which a cycle starts in a month; an anchor of 31 means the last day of a shorter month. */
const beginningIn = (year: number, month: number, anchorDay: number): Day => {
  const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(anchorDay, daysInMonth))).toISOString().slice(0, 10)
}

/** The cycle that contains a day, for cycles that start on the same day of each month. */
export const findCycle = (day: Day, anchorDay: number): Cycle => {
  const [year, month] = day.split('-').map(Number) as [number, number]
  const inThisMonth = beginningIn(year, month - 1, anchorDay)
  if (day >= inThisMonth) return { start: inThisMonth, end: beginningIn(year, month, anchorDay) }
  return { start: beginningIn(year, month - 2, anchorDay), end: inThisMonth }
}
