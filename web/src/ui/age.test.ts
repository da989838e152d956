import { expect, test } from 'vitest'
import { formatAge } from './age.ts'

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
