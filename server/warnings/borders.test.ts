import { expect, test } from 'vitest'
import { findBorder } from './borders.ts'

test('the nearest border is found with the countries on both sides', () => {
  // Beaver Creek, on the Alaska Highway.
  const border = findBorder([62.38, -140.88], 50)
  expect(border?.countries).toEqual(['Canada', 'United States of America'])
  expect(border?.km).toBeGreaterThan(3)
  expect(border?.km).toBeLessThan(9)
})

test('a coast is no border, and what is far is not found', () => {
  expect(findBorder([64.5, -165.4], 100)).toBeNull()
  expect(findBorder([62.38, -140.88], 2)).toBeNull()
  expect(findBorder([57.8, -152.4], 300)).toBeNull()
})
