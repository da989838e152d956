import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatIsoTime, toLocalTime } from '#contract/format/times.ts'
import { findLocalMoment } from './local-moment.ts'

const MINUTE_MS = 60_000
const ANCHORAGE = 'America/Anchorage'

test('a time that is skipped in spring begins when the clocks jump', () => {
  const skipped = findLocalMoment('2026-03-08', 150, ANCHORAGE)
  expect(formatIsoTime(skipped, ANCHORAGE)).toBe('2026-03-08T03:00:00.000-08:00')
})

test('a time that comes twice in autumn begins the first time', () => {
  const repeated = findLocalMoment('2026-11-01', 90, ANCHORAGE)
  expect(formatIsoTime(repeated, ANCHORAGE)).toBe('2026-11-01T01:30:00.000-08:00')
})

/** Searches minute by minute, from a time when no time zone can have reached the day. */
const search = (day: string, minute: number, timeZone: string) => {
  for (let atMs = Date.parse(`${day}T00:00:00Z`) - 15 * 60 * MINUTE_MS; ; atMs += MINUTE_MS) {
    const shown = toLocalTime(atMs, timeZone)
    if (shown.day > day || (shown.day === day && shown.minute >= minute)) return atMs
  }
}

// Zones that change at midnight, by half an hour, across the date line, and with a skipped day.
const zones = [
  ANCHORAGE,
  'UTC',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Africa/Casablanca',
  'America/Havana',
  'Asia/Beirut',
  'America/Nuuk',
  'Pacific/Apia',
  'America/St_Johns',
  'Pacific/Auckland',
]
const changes = [
  '2026-03-08',
  '2026-11-01',
  '2026-03-28',
  '2026-03-29',
  '2026-10-24',
  '2026-10-25',
  '2026-04-05',
  '2026-10-04',
  '2026-02-15',
  '2026-03-22',
  '2011-12-29',
  '2011-12-30',
  '2011-12-31',
]
const anyDay = fc
  .integer({ min: 0, max: 6 * 365 })
  .map((days) => new Date(Date.UTC(2022, 0, 1 + days)).toISOString().slice(0, 10))

test('it is the first minute that a search through all minutes finds', () => {
  const day = fc.oneof(fc.constantFrom(...changes), anyDay)
  fc.assert(
    fc.property(day, fc.nat(1439), fc.constantFrom(...zones), (wanted, minute, timeZone) => {
      expect(findLocalMoment(wanted, minute, timeZone)).toBe(search(wanted, minute, timeZone))
    }),
    { numRuns: 300 },
  )
})
