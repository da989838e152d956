import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonBytes } from './json-bytes.ts'

const written = (write: (bytes: JsonBytes) => void) => {
  const bytes = new JsonBytes(1)
  write(bytes)
  return bytes.taken().toString()
}

test('a number is the JSON of its value to six decimals', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(JSON.parse(written((bytes) => bytes.decimal(value)))).toBeCloseTo(value, 5)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  [0, '0'],
  [-0, '0'],
  [-0.0000001, '0'],
  [12, '12'],
  [-1.5, '-1.5'],
  [0.000001, '0.000001'],
  [99.9999999, '100'],
  [10.0203, '10.0203'],
  [3e38, '3e+38'],
  [Number.NaN, 'null'],
])('%d is written as %s', (value, text) => {
  expect(written((bytes) => bytes.decimal(value))).toBe(text)
})

test('microseconds and text come as they are', () => {
  expect(
    written((bytes) => {
      bytes.text('{"timestamp":')
      bytes.whole(1_794_749_430_001_573)
      bytes.raw(Buffer.from('}'))
    }),
  ).toBe('{"timestamp":1794749430001573}')
})
