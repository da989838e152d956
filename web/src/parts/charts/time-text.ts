import { formatClock, formatDayAndClock } from '#contract/format/times.ts'
import type { PeriodMin } from '#contract/period.ts'

const longestByClockMin = 1440

export interface AxisTime {
  text: (atMs: number) => string
  /** The maximum width of a label. */
  labelPx: number
}

/** The format of times on the axis: clock time up to a day, month, day and hour beyond that. */
export const chooseAxisTime = (period: PeriodMin): AxisTime =>
  period <= longestByClockMin
    ? { text: (atMs) => formatClock(atMs), labelPx: 72 }
    : { text: (atMs) => formatDayAndClock(atMs), labelPx: 112 }
