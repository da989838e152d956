import { expect, test } from 'vitest'
import { formatAxisLabels, getAxisEnd } from './value-axis.ts'

test('every label of the axis is different, however small the steps', () => {
  expect(formatAxisLabels([0, 20, 40], 20)).toEqual(['0', '20', '40'])
  expect(formatAxisLabels([0, 2.5, 5, 7.5], 2.5)).toEqual(['0.0', '2.5', '5.0', '7.5'])
  expect(formatAxisLabels([0, 0.25, 0.5, 0.75], 0.25)).toEqual(['0.00', '0.25', '0.50', '0.75'])
  expect(formatAxisLabels([0, 0.0005, 0.001, 0.0015], 0.0005)).toEqual(['0.0000', '0.0005', '0.0010', '0.0015'])
  expect(formatAxisLabels([0, 1000, 2000], 1000)).toEqual(['0', '1,000', '2,000'])
})

test('a share of a thousandth of a percent is drawn near the bottom, and real values have room above', () => {
  const percent = { fullScale: undefined, leastScale: 1 }
  expect(getAxisEnd(percent, null)).toBe(1)
  expect(getAxisEnd(percent, 0.003)).toBe(1)
  expect(getAxisEnd(percent, 10)).toBeCloseTo(11)
  expect(getAxisEnd({ fullScale: 100, leastScale: 1 }, 97)).toBe(100)
})
