import { expect, test } from 'vitest'
import { formatAge, formatCountdown, formatLength, formatUptime } from './durations.ts'

test.each([
  [6_000, '6 s ago'],
  [59_999, '59 s ago'],
  [60_000, '1 min ago'],
  [3_599_000, '59 min ago'],
  [3_600_000, '1 h ago'],
  [86_400_000 * 3, '3 d ago'],
  [-2_000, '0 s ago'],
])('%i ms reads as %s', (age, text) => {
  expect(formatAge(1_700_000_000_000 - age, 1_700_000_000_000)).toBe(text)
})

test.each([
  [0, '0:00'],
  [5, '0:05'],
  [899, '14:59'],
  [3600, '1:00:00'],
  [4325, '1:12:05'],
])('counts %i seconds down as %s', (seconds, text) => {
  expect(formatCountdown(seconds)).toBe(text)
})

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [150, '2 min'],
  [3600, '1 h'],
  [7_500, '2 h 5 min'],
  [12 * 86_400 + 3 * 3600 + 59, '12 d 3 h'],
  [999 * 86_400 + 3600, '999 d 1 h'],
  [12_345 * 86_400 + 3600, '12,345 d'],
])('writes a length of %i seconds as %s', (seconds, text) => {
  expect(formatLength(seconds)).toBe(text)
})

test('formats uptime in days, hours and minutes', () => {
  expect(formatUptime(2 * 86_400 + 3 * 3600 + 4 * 60 + 59)).toBe('2 days, 3 hours, 4 minutes')
  expect(formatUptime(86_400 + 3600 + 60)).toBe('1 day, 1 hour, 1 minute')
  expect(formatUptime(0)).toBe('0 days, 0 hours, 0 minutes')
})
