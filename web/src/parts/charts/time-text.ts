import type { PeriodMin } from '#contract/period.ts'

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const monthDayHour = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: 'numeric' })
const exactClock = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
})

const longestByClockMin = 1440

export interface AxisTime {
  text: (atMs: number) => string
  /** The greatest width of a label. */
  labelPx: number
}

/** How times are written on the axis: as clock time up to a day, beyond that as month, day and hour. */
export const chooseAxisTime = (period: PeriodMin): AxisTime =>
  period <= longestByClockMin
    ? { text: (atMs) => clock.format(atMs), labelPx: 72 }
    : { text: (atMs) => monthDayHour.format(atMs), labelPx: 112 }

export const pointTime = (atMs: number) => exactClock.format(atMs)
