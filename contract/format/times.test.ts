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
  formatIsoTime,
  formatMoment,
  formatMonth,
  formatSampleTime,
  formatShortDate,
  getOwnTimeZone,
  isTimeZone,
  listTimeZones,
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

test.each([
  // Clocks go back at 02:00, so 01:30 occurs twice; and forward at 02:00, so 02:30 does not exist.
  ['America/Anchorage', '2026-11-01T09:30:00.250Z', '2026-11-01T01:30:00.250-08:00'],
  ['America/Anchorage', '2026-11-01T10:30:00.250Z', '2026-11-01T01:30:00.250-09:00'],
  ['America/Toronto', '2026-03-08T06:59:59.999Z', '2026-03-08T01:59:59.999-05:00'],
  ['America/Toronto', '2026-03-08T07:00:00.000Z', '2026-03-08T03:00:00.000-04:00'],
  ['Pacific/Auckland', '2026-12-31T11:00:00.000Z', '2027-01-01T00:00:00.000+13:00'],
  ['Asia/Kolkata', '2026-06-01T00:00:00.000Z', '2026-06-01T05:30:00.000+05:30'],
  ['UTC', '2026-06-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z'],
])('in %s, %s is %s for programs', (zone, iso, local) => {
  expect(formatIsoTime(new Date(iso), zone)).toBe(local)
  expect(new Date(local).toISOString()).toBe(iso)
})

test('knows the names of time zones', () => {
  expect(listTimeZones('US/Alaska')).toEqual(expect.arrayContaining(['America/Anchorage', 'UTC', 'US/Alaska']))
  expect(['America/Anchorage', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false])
})
