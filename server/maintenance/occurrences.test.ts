import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatIsoTime, toLocalTime } from '#contract/format/times.ts'
import type { Schedule } from '#contract/maintenance.ts'
import {
  findOccurrence,
  findShownOccurrence,
  listOccurrences,
  mergeSpans,
  type PlannedSchedule,
} from './occurrences.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
const ANCHORAGE = 'America/Anchorage'

const plan = (schedule: Schedule, changes: Partial<PlannedSchedule> = {}): PlannedSchedule => ({
  schedule,
  timeZone: ANCHORAGE,
  enteredAt: new Date(0),
  endedAt: null,
  ...changes,
})

const list = (planned: PlannedSchedule, from: string, to: string) =>
  listOccurrences(planned, { fromMs: Date.parse(from), toMs: Date.parse(to) }).map(({ fromMs, toMs }) => [
    formatIsoTime(fromMs, planned.timeZone).replace('.000', ''),
    (toMs - fromMs) / MINUTE_MS,
  ])

const nightly = { firstDay: '2026-01-01', startMinute: 150, lengthMinutes: 120, lastDay: null }

test('a weekly window keeps its local time and its length when clocks change', () => {
  const sundays = plan({ repeats: 'weekly', days: [7], ...nightly })
  expect(list(sundays, '2026-02-28T12:00Z', '2026-03-16T12:00Z')).toEqual([
    ['2026-03-01T02:30:00-09:00', 120],
    ['2026-03-08T03:00:00-08:00', 120],
    ['2026-03-15T02:30:00-08:00', 120],
  ])
  expect(list(sundays, '2026-10-31T12:00Z', '2026-11-09T00:00Z')).toEqual([
    ['2026-11-01T02:30:00-09:00', 120],
    ['2026-11-08T02:30:00-09:00', 120],
  ])
})

test('an occurrence that ends when a time begins, or begins when it ends, is not in it', () => {
  const once = plan({ repeats: 'once', firstDay: '2026-01-05', startMinute: 0, lengthMinutes: 60 })
  expect(list(once, '2026-01-05T10:00Z', '2026-01-05T12:00Z')).toEqual([])
  expect(list(once, '2026-01-05T07:00Z', '2026-01-05T09:00Z')).toEqual([])
  expect(list(once, '2026-01-05T09:59Z', '2026-01-05T12:00Z')).toHaveLength(1)
})

test('a window in the night in which clocks change begins once and has its whole length, in any zone', () => {
  const sundays = (timeZone: string) => plan({ repeats: 'weekly', days: [7], ...nightly }, { timeZone })
  expect(list(sundays('Pacific/Auckland'), '2026-04-03T12:00Z', '2026-04-06T12:00Z')).toEqual([
    ['2026-04-05T02:30:00+13:00', 120],
  ])
  expect(list(sundays('Pacific/Auckland'), '2026-09-25T12:00Z', '2026-09-28T12:00Z')).toEqual([
    ['2026-09-27T03:00:00+13:00', 120],
  ])
  expect(list(sundays('America/St_Johns'), '2026-03-07T12:00Z', '2026-03-09T12:00Z')).toEqual([
    ['2026-03-08T03:00:00-02:30', 120],
  ])
  const repeated = plan({ repeats: 'weekly', days: [7], ...nightly, startMinute: 90 }, { timeZone: 'America/St_Johns' })
  expect(list(repeated, '2026-10-31T12:00Z', '2026-11-02T12:00Z')).toEqual([['2026-11-01T01:30:00-02:30', 120]])
})

test('a monthly window on a day that a month lacks is on its last day', () => {
  const monthly = plan({ repeats: 'monthly', days: [15, 31], ...nightly, startMinute: 600 })
  expect(list(monthly, '2026-02-01T12:00Z', '2026-04-10T12:00Z').map(([from]) => String(from).slice(0, 10))).toEqual([
    '2026-02-15',
    '2026-02-28',
    '2026-03-15',
    '2026-03-31',
  ])
})

test('nothing counts from before it was entered or after it was ended', () => {
  const entered = { enteredAt: new Date('2026-05-01T11:00Z'), endedAt: new Date('2026-05-03T11:30Z') }
  const daily = plan({ repeats: 'weekly', days: [1, 2, 3, 4, 5, 6, 7], ...nightly }, entered)
  expect(list(daily, '2026-04-01T00:00Z', '2026-06-01T00:00Z')).toEqual([
    ['2026-05-01T03:00:00-08:00', 90],
    ['2026-05-02T02:30:00-08:00', 120],
    ['2026-05-03T02:30:00-08:00', 60],
  ])
})

test('what is shown is the time that lasts, or else the next, or else the last', () => {
  const show = (planned: PlannedSchedule, now: string) => {
    const time = findShownOccurrence(planned, Date.parse(now))
    return time && formatIsoTime(time.fromMs, ANCHORAGE).slice(0, 16)
  }
  const once = plan({ repeats: 'once', firstDay: '2026-05-01', startMinute: 150, lengthMinutes: 120 })
  for (const now of ['2020-01-01T00:00Z', '2026-05-01T11:00Z', '2026-06-01T00:00Z', '2027-06-01T00:00Z'])
    expect(show(once, now)).toBe('2026-05-01T02:30')
  const until = plan({ repeats: 'weekly', days: [7], ...nightly, lastDay: '2026-02-10' })
  expect(show(until, '2026-02-05T00:00Z')).toBe('2026-02-08T02:30')
  expect(show(until, '2027-02-05T00:00Z')).toBe('2026-02-08T02:30')
  expect(show({ ...until, endedAt: new Date('2026-01-02T00:00Z') }, '2026-02-05T00:00Z')).toBeUndefined()
})

test('occurrences that overlap are one, until the last of them ends', () => {
  const daily = plan({
    repeats: 'weekly',
    days: [1, 2, 3, 4, 5, 6, 7],
    ...nightly,
    startMinute: 0,
    lengthMinutes: 1500,
  })
  const show = (now: string) =>
    [findOccurrence, findShownOccurrence].map((find) => {
      const { fromMs = Number.NaN, toMs = Number.NaN } = find(daily, Date.parse(now)) ?? {}
      return [fromMs, toMs].map((ms) => formatIsoTime(ms, ANCHORAGE).slice(0, 16))
    })
  const lone = ['2026-02-05T00:00', '2026-02-06T01:00']
  expect(show('2026-02-05T12:00-09:00')).toEqual([lone, lone])
  const both = ['2026-02-05T00:00', '2026-02-07T01:00']
  expect(show('2026-02-06T00:30-09:00')).toEqual([both, both])
})

const isLastOfMonth = (day: string) => new Date(Date.parse(day) + DAY_MS).getUTCDate() === 1

/** A reference implementation that checks the clock every minute. */
const isMaintained = ({ schedule, timeZone }: PlannedSchedule, atMs: number) => {
  for (let begin = atMs; begin > atMs - schedule.lengthMinutes * MINUTE_MS; begin -= MINUTE_MS) {
    const { day, minute } = toLocalTime(begin, timeZone)
    const before = toLocalTime(begin - MINUTE_MS, timeZone)
    // The clock reaches the time now: it showed less a minute before, and did not show it an hour or two before.
    const reaches = (shown: { day: string; minute: number }, on: string) =>
      shown.day > on || (shown.day === on && shown.minute >= schedule.startMinute)
    const isFirst = (on: string) =>
      reaches({ day, minute }, on) &&
      !reaches(before, on) &&
      Array.from({ length: 180 }, (_, back) => toLocalTime(begin - (back + 2) * MINUTE_MS, timeZone)).every(
        (earlier) => !reaches(earlier, on),
      )
    const isDue = (on: string) => {
      if (on < schedule.firstDay) return false
      if (schedule.repeats === 'once') return on === schedule.firstDay
      if (schedule.lastDay !== null && on > schedule.lastDay) return false
      if (schedule.repeats === 'weekly') return schedule.days.includes(new Date(on).getUTCDay() || 7)
      const own = new Date(on).getUTCDate()
      return schedule.days.includes(own) || (isLastOfMonth(on) && schedule.days.some((each) => each > own))
    }
    if ([day, before.day].some((on) => isDue(on) && isFirst(on))) return true
  }
  return false
}

test('it runs exactly when a check of every minute says so', () => {
  const toDay = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * DAY_MS).toISOString().slice(0, 10)
  const common = {
    firstDay: fc.integer({ min: 0, max: 330 }).map(toDay),
    startMinute: fc.oneof(fc.nat(1439), fc.constantFrom(0, 60, 90, 120, 150, 179, 180, 1439)),
    lengthMinutes: fc.integer({ min: 1, max: 200 }),
  }
  const repeated = { ...common, lastDay: fc.option(fc.integer({ min: 60, max: 400 }).map(toDay)) }
  const schedule = fc.oneof(
    fc.record({ repeats: fc.constant('once' as const), ...common }),
    fc.record({
      repeats: fc.constant('weekly' as const),
      ...repeated,
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    }),
    fc.record({
      repeats: fc.constant('monthly' as const),
      ...repeated,
      days: fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 4 }),
    }),
  )
  const zone = fc.constantFrom(
    ANCHORAGE,
    'America/St_Johns',
    'Pacific/Auckland',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'America/Havana',
    'UTC',
  )
  // The nights on which clocks change in these zones, and any other day.
  const changes = ['2026-03-08', '2026-11-01', '2026-03-29', '2026-10-25', '2026-04-04', '2026-09-26', '2026-10-03']
  const day = fc.oneof(fc.constantFrom(...changes), fc.integer({ min: 0, max: 364 }).map(toDay))
  fc.assert(
    fc.property(schedule, zone, day, fc.nat(1439), (given, timeZone, on, minute) => {
      const planned = plan(given.repeats === 'once' ? { ...given, firstDay: on } : given, { timeZone })
      const atMs = Date.parse(on) + minute * MINUTE_MS
      expect(listOccurrences(planned, { fromMs: atMs, toMs: atMs + 1 }).length > 0).toBe(isMaintained(planned, atMs))
    }),
    { numRuns: 60 },
  )
})

test('spans that overlap or touch are merged', () => {
  const span = (fromMs: number, toMs: number) => ({ fromMs, toMs })
  expect(mergeSpans([span(5, 9), span(0, 2), span(2, 4), span(6, 7)])).toEqual([span(0, 4), span(5, 9)])
})
