import { expect, test } from 'vitest'
import { chanceAbove, median, quantile } from './statistics.ts'

test('equal or mixed values cannot be distinguished, separate ones can', () => {
  expect(chanceAbove([5, 5], [5, 5, 5])).toBe(0.5)
  expect(chanceAbove([1, 4], [2, 3])).toBe(0.5)
  expect(chanceAbove([7, 8, 9], [1, 2, 3])).toBe(1)
  expect(chanceAbove([1, 2], [3, 4, 5])).toBe(0)
})

test('a quantile leaves its input unchanged, and is NaN without values', () => {
  const values = [9, 1, 5]
  expect(median(values)).toBe(5)
  expect(quantile(values, 0.99)).toBe(9)
  expect(values).toEqual([9, 1, 5])
  expect(median([])).toBeNaN()
})
