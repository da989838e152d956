import { addDays } from '#contract/calendar-period.ts'
import { toLocalTime } from '#contract/format/times.ts'
import type { Schedule } from '#contract/maintenance.ts'
import { findLocalMoment } from '../platform/local-moment.ts'

const MINUTE_MS = 60_000

export interface Span {
  fromMs: number
  toMs: number
}

/** A schedule in its time zone, and the period in which it applies. */
export interface PlannedSchedule {
  schedule: Schedule
  timeZone: string
  /** It does not apply to earlier times. */
  enteredAt: Date
  endedAt: Date | null
}

/** 1 is Monday. */
const getWeekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

const getDayOfMonth = (day: string) => Number(day.slice(8))

/** In shorter months, the last day stands in for the missing ones. */
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

/** The occurrences of a schedule that overlap a span, sorted. Durations are elapsed time, also when clocks change. */
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

/** Sorted spans, with overlapping or adjacent ones merged. */
export const mergeSpans = (spans: readonly Span[]): Span[] => {
  const merged: Span[] = []
  for (const span of spans.toSorted((one, other) => one.fromMs - other.fromMs)) {
    const last = merged.at(-1)
    if (last && span.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, span.toMs)
    else merged.push({ ...span })
  }
  return merged
}

/** The occurrence at a time. Long ones can overlap, and are one from the first begin to the last end. */
export const findOccurrence = (planned: PlannedSchedule, atMs: number): Span | undefined =>
  mergeSpans(listOccurrences(planned, { fromMs: atMs, toMs: atMs + 1 }))[0]

const DAY_MS = 1440 * MINUTE_MS
/** Longer than the time between any two occurrences. */
const LONGEST_PAUSE_MS = 70 * DAY_MS

/** The current occurrence, or else the next, or else the last one; undefined if it ended before its first one. */
export const findShownOccurrence = (planned: PlannedSchedule, nowMs: number): Span | undefined => {
  const { schedule, timeZone, endedAt } = planned
  const current = findOccurrence(planned, nowMs)
  if (current) return current
  const firstMs = findLocalMoment(schedule.firstDay, 0, timeZone)
  const [next] = listOccurrences(planned, { fromMs: nowMs, toMs: Math.max(nowMs, firstMs) + LONGEST_PAUSE_MS })
  if (next) return next
  const lastDay = getLastDay(schedule)
  const lastMs = lastDay === undefined ? nowMs : findLocalMoment(addDays(lastDay, 1), 0, timeZone)
  const toMs = Math.min(nowMs, endedAt?.getTime() ?? nowMs, lastMs)
  return listOccurrences(planned, { fromMs: toMs - LONGEST_PAUSE_MS, toMs }).at(-1)
}
