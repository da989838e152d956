import { expect, test } from 'vitest'
import { mercatorY, scaleAt } from './mercator.ts'
import { chooseScale } from './scale.ts'

test('a Mercator meter is half a meter at 60 degrees', () => {
  expect(scaleAt(0)).toBe(1)
  for (const latitude of [60, -60]) expect(scaleAt(mercatorY(latitude))).toBeCloseTo(0.5, 9)
})

test.each([
  [0.3, '20 m', '50 ft'],
  [9.99, '500 m', '2,000 ft'],
  [10, '1 km', '2,000 ft'],
  [16.1, '1 km', '1 mi'],
  [611.5, '50 km', '20 mi'],
  [39_135, '2,000 km', '2,000 mi'],
])('at %s meters per pixel the scale is %s or %s', (metersPerPx, metric, imperial) => {
  for (const [units, text, meters] of [
    ['metric', metric, { m: 1, km: 1000 }],
    ['imperial', imperial, { ft: 0.3048, mi: 1609.344 }],
  ] as const) {
    const scale = chooseScale(metersPerPx, units)
    expect(scale.text).toBe(text)
    const [count = '', unit = ''] = text.split(' ')
    const distanceM = Number(count.replace(',', '')) * ((meters as Record<string, number>)[unit] ?? Number.NaN)
    expect(scale.widthPx * metersPerPx).toBeCloseTo(distanceM, 6)
    expect(scale.widthPx).toBeLessThanOrEqual(100)
    expect(scale.widthPx).toBeGreaterThan(20)
  }
})
