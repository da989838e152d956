import { expect, test } from 'vitest'
import { latencyText, percentText, speedText } from './units.ts'

test('speeds are in Mbps from one on, in Kbps of 1024 below, with two decimals', () => {
  expect(speedText(123.456)).toBe('123.46 Mbps')
  expect(speedText(1)).toBe('1.00 Mbps')
  expect(speedText(0.5)).toBe('512.00 Kbps')
  expect(speedText(0)).toBe('0.00 Kbps')
})

test('latency and fractions carry their unit and two decimals', () => {
  expect(latencyText(41.239)).toBe('41.24 ms')
  expect(percentText(0.0123)).toBe('1.23%')
  expect(percentText(1)).toBe('100.00%')
})

test('what is not known is no zero', () => {
  expect([speedText(null), latencyText(null), percentText(null)]).toEqual(['N/A', 'N/A', 'N/A'])
})
