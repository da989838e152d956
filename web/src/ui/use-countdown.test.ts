import { expect, test } from 'vitest'
import { formatCountdown } from './use-countdown.ts'

test.each([
  [0, '0:00'],
  [5, '0:05'],
  [899, '14:59'],
  [3600, '1:00:00'],
  [4325, '1:12:05'],
])('shows %i seconds as %s', (seconds, text) => {
  expect(formatCountdown(seconds)).toBe(text)
})
