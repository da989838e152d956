import { expect, test } from 'vitest'
import {
  formatBytes,
  formatDistance,
  formatExactGb,
  formatGb,
  formatLatency,
  formatLimit,
  formatPosition,
  formatSpeed,
  formatWholeGb,
} from './units.ts'

test('formats speeds in Mbps, and below 1 Mbps in Kbps of 1/1024 Mbps', () => {
  expect([123.456, 1, 0.5, 0].map(formatSpeed)).toEqual(['123.46 Mbps', '1.00 Mbps', '512.00 Kbps', '0.00 Kbps'])
})

test('formats data in GB, and limits from 1000 GB in TB of 1024 GB', () => {
  expect([formatGb(120.46), formatWholeGb(1419.7), formatExactGb(2014.229)]).toEqual([
    '120.5 GB',
    '1,420 GB',
    '2,014.23 GB',
  ])
  expect([500, 999, 1000, 5120].map(formatLimit)).toEqual(['500 GB', '999 GB', '1.0 TB', '5.0 TB'])
})

test('formats latency, sizes and positions with their units', () => {
  expect(formatLatency(41.239)).toBe('41.24 ms')
  expect([0, 512, 1536, 20 * 1024 ** 2, 5000 * 1024 ** 4].map(formatBytes)).toEqual([
    '0 B',
    '512 B',
    '1.5 KB',
    '20 MB',
    '5,000 TB',
  ])
  expect(formatPosition([57.6, -152.2])).toBe('57.60° N, 152.20° W')
})

test('formats distances in the units of the tenant, with decimals only if they are short', () => {
  expect([4.56, 10, 270.4].map((km) => formatDistance(km, 'metric'))).toEqual(['4.6 km', '10 km', '270 km'])
  expect([10, 270.4].map((km) => formatDistance(km, 'imperial'))).toEqual(['6.2 mi', '168 mi'])
})
