import { expect, test } from 'vitest'
import { asPercent, computePercentConsumed, formatBuckets, formatKnownSpeed, sumGb } from './measures.ts'

const usage = {
  priority_GB: 25,
  standard_GB: 5,
  usage_limit_GB: 50,
  pool_current_usage: null,
  pool_usage_limit: null,
}

test('computes consumption of the pool if there is one, and 0 without a positive limit', () => {
  expect(computePercentConsumed(usage)).toBe(50)
  expect(computePercentConsumed({ ...usage, pool_current_usage: 900, pool_usage_limit: 1000 })).toBe(90)
  expect(computePercentConsumed({ ...usage, usage_limit_GB: 0 })).toBe(0)
  expect(computePercentConsumed({ ...usage, usage_limit_GB: null })).toBe(0)
})

test('unknown usage of a known limit is unknown, not 0', () => {
  expect(computePercentConsumed({ ...usage, priority_GB: null })).toBeNull()
  expect(computePercentConsumed({ ...usage, pool_usage_limit: 1000 })).toBeNull()
})

test('returns an unknown total only when both parts are unknown', () => {
  expect(sumGb(usage)).toBe(30)
  expect(sumGb({ ...usage, standard_GB: null })).toBe(25)
  expect(sumGb({ ...usage, priority_GB: null, standard_GB: null })).toBeNull()
})

test('formats slow speeds in Kbps and unknown ones as a dash', () => {
  expect([formatKnownSpeed(12.345), formatKnownSpeed(0.5), formatKnownSpeed(null)]).toEqual([
    '12.35 Mbps',
    '512.00 Kbps',
    '-',
  ])
})

test('names buckets as the product does', () => {
  const data_blocks = [
    { dataBlockType: 'IncludedWithBaseSubscription', totalAmountGB: 50 },
    { dataBlockType: 'OneTimePurchase', totalAmountGB: 500 },
    { dataBlockType: 'SomethingNew', totalAmountGB: null },
  ]
  expect(formatBuckets({ data_blocks })).toBe('included 50.00 GB, Top Up 500.00 GB, SomethingNew -')
  expect(formatBuckets({ data_blocks: [] })).toBe('-')
})

test('a fraction of the vendor is shown in percent, and an unknown one stays unknown', () => {
  expect([asPercent(0.5), asPercent(0), asPercent(null)]).toEqual([50, 0, null])
})
