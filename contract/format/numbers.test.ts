import { expect, test } from 'vitest'
import {
  formatChange,
  formatCompact,
  formatCount,
  formatCounted,
  formatDecimal,
  formatPercent,
  formatPercentDown,
  formatShort,
  formatTarget,
  formatUsd,
} from './numbers.ts'

test('groups digits as Americans do, whatever the language of the machine', () => {
  expect([formatCount(1_234_567), formatDecimal(2014.229), formatDecimal(3, 1)]).toEqual([
    '1,234,567',
    '2,014.23',
    '3.0',
  ])
  expect([formatShort(120), formatShort(1120.45)]).toEqual(['120', '1,120.5'])
})

test('counts one and many', () => {
  expect([1, 0, 1200].map((count) => formatCounted(count, 'terminal'))).toEqual([
    '1 terminal',
    '0 terminals',
    '1,200 terminals',
  ])
  expect(formatCounted(2, 'line is', 'lines are')).toBe('2 lines are')
})

test('writes percent without a space, as the product spec does', () => {
  expect([formatPercent(0, 2), formatPercent(248.666, 2), formatPercent(79.6)]).toEqual(['0.00%', '248.67%', '80%'])
  expect([0.12, -0.5, 0, 0.0046, -0.001].map(formatChange)).toEqual(['+12%', '−50%', '0%', '+0.5%', '−0.1%'])
})

test('writes dollars to the cent', () => expect(formatUsd(1250.5)).toBe('$1,250.50'))

test('availability is rounded down, and a target is not rounded', () => {
  expect([99.9999, 64.1, 100].map((percent) => formatPercentDown(percent, 2))).toEqual(['99.99%', '64.10%', '100.00%'])
  expect([99.5, 99.999].map(formatTarget)).toEqual(['99.50%', '99.999%'])
})

test('a large number is shortened from six digits on', () => {
  expect([99_999, 123_456, 999_999, 12_345_678].map(formatCompact)).toEqual(['99,999', '123.5K', '1M', '12.3M'])
})
