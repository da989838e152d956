import { addDays, type DaySpan, findPeriod, shiftPeriod } from '#contract/calendar-period.ts'
import { toLocalTime } from '#contract/format/times.ts'
import type { ReportPeriod } from '#contract/reports.ts'
import { findLocalMoment } from '../platform/local-moment.ts'

export interface ReportTiming {
  period: ReportPeriod
  timeZone: string
  /** Minutes after midnight of the day after the period. */
  sendMinute: number
}

/** The start and end of a period in a time zone. */
export const findBounds = ({ firstDay, lastDay }: DaySpan, timeZone: string) => ({
  fromMs: findLocalMoment(firstDay, 0, timeZone),
  toMs: findLocalMoment(addDays(lastDay, 1), 0, timeZone),
})

/** When the report on the period that begins on this day is sent. */
export const findSendTime = ({ period, timeZone, sendMinute }: ReportTiming, firstDay: string) =>
  new Date(findLocalMoment(addDays(findPeriod(period, firstDay).lastDay, 1), sendMinute, timeZone))

/** The last complete period. */
export const findLastPeriod = (period: ReportPeriod, timeZone: string, now: Date): DaySpan =>
  shiftPeriod(period, findPeriod(period, toLocalTime(now, timeZone).day), -1)

/** The first period whose report is not due yet. */
export const findNextPeriod = (timing: ReportTiming, now: Date): DaySpan => {
  const last = findLastPeriod(timing.period, timing.timeZone, now)
  return findSendTime(timing, last.firstDay) > now ? last : shiftPeriod(timing.period, last, 1)
}
