import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, findPeriod, shiftPeriod } from '#contract/calendar-period.ts'
import { toLocalTime } from '#contract/format/times.ts'
import { reportPeriods } from '#contract/reports.ts'
import { findBounds, findLastPeriod, findNextPeriod, findSendTime } from './period.ts'

const HOUR_MS = 3_600_000

test('the week in which clocks are set forward has 167 hours, and the report is sent at its local time', () => {
  const timing = { period: 'week', timeZone: 'America/Anchorage', sendMinute: 7 * 60 } as const
  const { fromMs, toMs } = findBounds({ firstDay: '2026-03-02', lastDay: '2026-03-08' }, timing.timeZone)
  expect((toMs - fromMs) / HOUR_MS).toBe(167)
  expect(findSendTime(timing, '2026-03-02')).toEqual(new Date('2026-03-09T07:00:00-08:00'))
  expect(findSendTime(timing, '2026-02-23')).toEqual(new Date('2026-03-02T07:00:00-09:00'))
})

test.each([
  ['America/St_Johns', '2026-03-02', 167, '2026-03-09T07:00:00-02:30'],
  ['America/St_Johns', '2026-10-26', 169, '2026-11-02T07:00:00-03:30'],
  ['Pacific/Auckland', '2026-03-30', 169, '2026-04-06T07:00:00+12:00'],
  ['Pacific/Auckland', '2026-09-21', 167, '2026-09-28T07:00:00+13:00'],
])('in %s, the week from %s has %i hours, and its report is sent at 7:00', (timeZone, firstDay, hours, sentAt) => {
  const { fromMs, toMs } = findBounds({ firstDay, lastDay: addDays(firstDay, 6) }, timeZone)
  expect((toMs - fromMs) / HOUR_MS).toBe(hours)
  expect(findSendTime({ period: 'week', timeZone, sendMinute: 7 * 60 }, firstDay)).toEqual(new Date(sentAt))
})

// Months that end on the eve of the day on which clocks change. No zone changes on a Monday, after a week.
test.each([
  // An hour, or half of one, is skipped: at the jump.
  ['Australia/Adelaide', '2028-09-01', '02:30', '2028-10-01T03:00:00+10:30'],
  ['Australia/Lord_Howe', '2028-09-01', '02:15', '2028-10-01T02:30:00+11:00'],
  // It is repeated: the first time, and not again an hour later.
  ['America/Anchorage', '2026-10-01', '01:30', '2026-11-01T01:30:00-08:00'],
])('in %s, the report on the month from %s at %s is sent once', (timeZone, firstDay, time, sentAt) => {
  const [hours, minutes] = time.split(':').map(Number) as [number, number]
  const timing = { period: 'month', timeZone, sendMinute: hours * 60 + minutes } as const
  const due = new Date(sentAt)
  expect(findSendTime(timing, firstDay)).toEqual(due)
  const findNext = (afterMs: number) => findNextPeriod(timing, new Date(due.getTime() + afterMs)).firstDay
  expect(findNext(-1)).toBe(firstDay)
  const following = shiftPeriod('month', findPeriod('month', firstDay), 1).firstDay
  for (const laterMs of [0, HOUR_MS / 2, HOUR_MS, 2 * HOUR_MS]) expect(findNext(laterMs)).toBe(following)
})

// Zones that change at midnight, by half an hour, at unusual times, never, or far from UTC.
const zones = [
  'America/Anchorage',
  'America/Santiago',
  'Asia/Beirut',
  'America/Havana',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Europe/Berlin',
  'Pacific/Kiritimati',
  'Pacific/Chatham',
  'America/St_Johns',
  'Pacific/Auckland',
  'Asia/Kathmandu',
  'UTC',
]
const anyTiming = fc.record({
  period: fc.constantFrom(...reportPeriods),
  timeZone: fc.constantFrom(...zones),
  sendMinute: fc.integer({ min: 0, max: 1439 }),
})
const anyMoment = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2031-01-01T00:00:00Z'),
  noInvalidDate: true,
})

test('periods follow each other without a gap or an overlap, and have whole calendar days', () => {
  fc.assert(
    fc.property(anyTiming, anyMoment, ({ period, timeZone }, now) => {
      const last = findLastPeriod(period, timeZone, now)
      const bounds = findBounds(last, timeZone)
      const next = findBounds(shiftPeriod(period, last, 1), timeZone)
      expect(next.fromMs).toBe(bounds.toMs)
      // It has ended, and the following one has not.
      expect(bounds.toMs).toBeLessThanOrEqual(now.getTime())
      expect(next.toMs).toBeGreaterThan(now.getTime())
      expect(toLocalTime(bounds.fromMs, timeZone).day).toBe(last.firstDay)
      expect(toLocalTime(bounds.toMs - 1, timeZone).day).toBe(last.lastDay)
      expect(findPeriod(period, last.lastDay)).toEqual(last)
    }),
  )
})

test('every period is sent once, after it is over, at the local time of the schedule', () => {
  fc.assert(
    fc.property(anyTiming, anyMoment, (timing, now) => {
      const next = findNextPeriod(timing, now)
      const due = findSendTime(timing, next.firstDay)
      expect(due.getTime()).toBeGreaterThan(now.getTime())
      expect(due.getTime()).toBeGreaterThanOrEqual(findBounds(next, timing.timeZone).toMs)
      const before = shiftPeriod(timing.period, next, -1)
      expect(findSendTime(timing, before.firstDay).getTime()).toBeLessThanOrEqual(now.getTime())
      // Once it is due, the following one is next.
      expect(findNextPeriod(timing, due)).toEqual(shiftPeriod(timing.period, next, 1))
      const local = toLocalTime(due, timing.timeZone)
      expect(local.day).toBe(addDays(next.lastDay, 1))
      // A minute that is skipped in spring is replaced by the first one after it.
      const isSkipped = toLocalTime(due.getTime() - 60_000, timing.timeZone).minute < timing.sendMinute
      expect(local.minute === timing.sendMinute || (local.minute > timing.sendMinute && isSkipped)).toBe(true)
    }),
  )
})
