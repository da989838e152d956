import { formatClock, formatDayAndClock } from '#contract/format/times.ts'
import type { PeriodMin } from '#contract/period.ts'

const longestByClockMin = 1440

export interface AxisTime {
  text: (atMs: number) => string
  /** The greatest width of a label. */
  labelPx: number
}

/** How times are written on the axis: as clock time up to a day, beyond that as month, day and hour. */
export const chooseAxisTime = (period: PeriodMin): AxisTime =>
  period <= longestByClockMin
    ? { text: (atMs) => formatClock(atMs), labelPx: 72 }
    : { text: (atMs) => formatDayAndClock(atMs), labelPx: 112 }
