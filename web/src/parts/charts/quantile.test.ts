import { expect, test } from 'vitest'
import { describeQuantile, rollQuantile } from './quantile.ts'

const series = (values: (number | null)[]) => ({ atMs: values.map((_, index) => index * 1000), values })

test('the median and the 95th percentile are values of the points around each moment', () => {
  const values = Array.from({ length: 41 }, (_, index) => index)
  const median = rollQuantile(series(values), 20_000, 1000, 'median')
  expect(median[20]).toBe(20)
  expect(rollQuantile(series(values), 20_000, 1000, 'p95')[20]).toBe(29)
  expect(median[0]).toBe(5)
})

test('one peak does not move them', () => {
  const values = Array.from({ length: 41 }, (_, index) => (index === 20 ? 900 : 10))
  for (const quantile of ['median', 'p95'] as const)
    expect(rollQuantile(series(values), 20_000, 1000, quantile)[20]).toBe(10)
})

test('nothing is said of a gap, nor where fewer than half of the points are known', () => {
  const values = [1, 2, 3, null, null, null, null, null, null, null, 4]
  expect(rollQuantile(series(values), 8000, 1000, 'median')).toEqual(values.map(() => null))
  expect(rollQuantile(series(values), 4000, 1000, 'median').slice(0, 4)).toEqual([2, 2, 2, null])
})

test('a quantile of averages is named as one', () => {
  expect(describeQuantile('p95', 180, 15, true)).toBe('95th percentile of the samples within 5 min around each moment')
  expect(describeQuantile('median', 10080, 900, false)).toBe(
    'Median of averages of 15 min, within 6 h around each moment',
  )
})
