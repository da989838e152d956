import { expect, test } from 'vitest'
import { createTraffic } from './traffic.ts'

test('finds the busiest interval wherever it is', () => {
  let nowMs = 0
  const traffic = createTraffic(() => nowMs)
  expect(traffic.maxWithin(60_000)).toBe(0)
  for (const atMs of [0, 50_000, 59_000, 61_000, 62_000, 200_000]) {
    nowMs = atMs
    traffic.record()
  }
  expect(traffic.maxWithin(60_000)).toBe(4)
  expect(traffic.maxWithin(1_500)).toBe(2)
})
