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
  /** How wide a label may become. */
  labelPx: number
}

/** Of the axis: the clock up to a day, beyond it month, day and hour. */
export const axisTimeOf = (period: PeriodMin): AxisTime =>
  period <= longestByClockMin
    ? { text: (atMs) => clock.format(atMs), labelPx: 72 }
    : { text: (atMs) => monthDayHour.format(atMs), labelPx: 112 }

export const pointTime = (atMs: number) => exactClock.format(atMs)
