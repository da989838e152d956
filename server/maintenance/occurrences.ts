import { addDays } from '#contract/calendar-period.ts'
import { toLocalTime } from '#contract/format/times.ts'
import type { Schedule } from '#contract/maintenance.ts'
import { findLocalMoment } from '../platform/local-moment.ts'

const MINUTE_MS = 60_000

export interface Span {
  fromMs: number
  toMs: number
}

/** A schedule in its zone, and between which times it counts. */
export interface PlannedSchedule {
  schedule: Schedule
  timeZone: string
  /** What was planned later does not count for what happened before. */
  enteredAt: Date
  endedAt: Date | null
}

/** 1 is Monday. */
const getWeekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

const getDayOfMonth = (day: string) => Number(day.slice(8))

/** In a month that is too short, the last day is taken for the days that are missing. */
const isInMonth = (days: readonly number[], day: string) => {
  const own = getDayOfMonth(day)
  return days.includes(own) || (getDayOfMonth(addDays(day, 1)) === 1 && days.some((each) => each > own))
}

const isDue = (schedule: Schedule, day: string) => {
  if (schedule.repeats === 'once') return day === schedule.firstDay
  return schedule.repeats === 'weekly' ? schedule.days.includes(getWeekday(day)) : isInMonth(schedule.days, day)
}

const getLastDay = (schedule: Schedule) =>
  schedule.repeats === 'once' ? schedule.firstDay : (schedule.lastDay ?? undefined)

/** The times of a schedule that overlap a span, in order. Its length is that of a stopwatch, also when clocks change. */
export const listOccurrences = ({ schedule, timeZone, enteredAt, endedAt }: PlannedSchedule, within: Span): Span[] => {
  const { firstDay, startMinute, lengthMinutes } = schedule
  const lengthMs = lengthMinutes * MINUTE_MS
  const earliest = addDays(toLocalTime(within.fromMs - lengthMs, timeZone).day, -1)
  const latest = toLocalTime(within.toMs, timeZone).day
  const lastDay = getLastDay(schedule)
  const until = lastDay !== undefined && lastDay < latest ? lastDay : latest
  const found: Span[] = []
  for (let day = firstDay > earliest ? firstDay : earliest; day <= until; day = addDays(day, 1)) {
    if (!isDue(schedule, day)) continue
    const beginMs = findLocalMoment(day, startMinute, timeZone)
    const fromMs = Math.max(beginMs, enteredAt.getTime())
    const toMs = Math.min(beginMs + lengthMs, endedAt?.getTime() ?? Number.POSITIVE_INFINITY)
    if (fromMs < toMs && fromMs < within.toMs && toMs > within.fromMs) found.push({ fromMs, toMs })
  }
  return found
}

const DAY_MS = 1440 * MINUTE_MS
/** Longer than any time between two occurrences. */
const LONGEST_PAUSE_MS = 70 * DAY_MS

/** The time that lasts, or else the next, or else the last one; undefined for one that ended before its first time. */
export const findShownOccurrence = (planned: PlannedSchedule, nowMs: number): Span | undefined => {
  const { schedule, timeZone, endedAt } = planned
  const firstMs = findLocalMoment(schedule.firstDay, 0, timeZone)
  const [next] = listOccurrences(planned, { fromMs: nowMs, toMs: Math.max(nowMs, firstMs) + LONGEST_PAUSE_MS })
  if (next) return next
  const lastDay = getLastDay(schedule)
  const lastMs = lastDay === undefined ? nowMs : findLocalMoment(addDays(lastDay, 1), 0, timeZone)
  const toMs = Math.min(nowMs, endedAt?.getTime() ?? nowMs, lastMs)
  return listOccurrences(planned, { fromMs: toMs - LONGEST_PAUSE_MS, toMs }).at(-1)
}

/** Spans in order, where those that overlap or touch are one. */
export const mergeSpans = (spans: readonly Span[]): Span[] => {
  const merged: Span[] = []
  for (const span of spans.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const last = merged.at(-1)
    if (last && span.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, span.toMs)
    else merged.push({ ...span })
  }
  return merged
}
