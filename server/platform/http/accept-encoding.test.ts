import { expect, test } from 'vitest'
import { negotiateEncoding } from './accept-encoding.ts'

test.each([
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, BR', 'br'],
  ['br;q=0.5, gzip;q=1.0', 'gzip'],
  ['zstd;q=0, br;q=0.0, gzip', 'gzip'],
  ['br;q=0', 'identity'],
  ['identity', 'identity'],
  [undefined, 'identity'],
])('for %j the encoding is %s', (header, encoding) => {
  expect(negotiateEncoding(header, ['zstd', 'br', 'gzip'])).toBe(encoding)
})
