import { expect, test } from 'vitest'
import { formatFraction, formatNumber, formatSpeed } from './units.ts'

test('formats speeds in Mbps, and below 1 Mbps in Kbps of 1/1024 Mbps', () => {
  expect(formatSpeed(123.456)).toBe('123.46 Mbps')
  expect(formatSpeed(1)).toBe('1.00 Mbps')
  expect(formatSpeed(0.5)).toBe('512.00 Kbps')
  expect(formatSpeed(0)).toBe('0.00 Kbps')
})

test('formats numbers and fractions with their unit and two decimals', () => {
  expect(formatNumber('ms')(41.239)).toBe('41.24 ms')
  expect(formatFraction(0.0123)).toBe('1.23%')
  expect(formatFraction(1)).toBe('100.00%')
})

test('formats an unknown value as N/A', () => {
  expect([formatSpeed(null), formatNumber('ms')(null), formatFraction(null)]).toEqual(['N/A', 'N/A', 'N/A'])
})
