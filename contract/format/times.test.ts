import { expect, test } from 'vitest'
import {
  formatClock,
  formatClockWithZone,
  formatDate,
  formatDateTime,
  formatDay,
  formatDayAndClock,
  formatDaySpan,
  formatExactTime,
  formatMoment,
  formatMonth,
  formatSampleTime,
  formatShortDate,
  getOwnTimeZone,
  isTimeZone,
  toLocalTime,
} from './times.ts'

const at = new Date('2026-11-18T05:02:15Z')

test.each([
  [formatClock, '20:02'],
  [formatClockWithZone, '20:02 AKST'],
  [formatDayAndClock, 'Nov 17, 20:02'],
  [formatMoment, 'Nov 17, 20:02 AKST'],
  [formatDateTime, 'Nov 17, 2026, 20:02 AKST'],
  [formatSampleTime, 'Nov 17, 20:02:15'],
  [formatExactTime, 'Nov 17, 2026, 20:02:15 AKST'],
  [formatDate, 'Nov 17, 2026'],
  [formatShortDate, '11/17/26'],
])('%o writes the time of a zone as %s', (format, text) => {
  expect(format(at, 'America/Anchorage')).toBe(text)
  expect(format(at.getTime(), getOwnTimeZone())).toBe(format(at))
})

test('midnight is 00:00', () => expect(formatClockWithZone(Date.UTC(2026, 10, 18), 'UTC')).toBe('00:00 UTC'))

test('the vendor’s days and months are the same for every reader', () => {
  expect([formatDay('2026-11-01'), formatMonth('2026-11')]).toEqual(['Nov 1', 'November'])
  expect(formatDaySpan('2026-11-21', '2026-11-24')).toBe('between Nov 21 and 24')
  expect(formatDaySpan('2026-11-28', '2026-12-02')).toBe('between Nov 28 and Dec 2')
  expect(formatDaySpan('2026-11-21', '2026-11-21')).toBe('on Nov 21')
})

test('the local day and minute follow the zone across its change of clocks', () => {
  expect(toLocalTime(at, 'America/Anchorage')).toEqual({ day: '2026-11-17', minute: 20 * 60 + 2 })
  expect(toLocalTime(Date.UTC(2026, 5, 1, 8, 30), 'America/Anchorage')).toEqual({ day: '2026-06-01', minute: 30 })
})

test('knows the names of time zones', () => {
  expect(['America/Anchorage', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false])
})
