import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonBytes, roundForJson } from './json-bytes.ts'

const written = (write: (bytes: JsonBytes) => void) => {
  const bytes = new JsonBytes(1)
  write(bytes)
  return bytes.taken().toString()
}

const measured = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.float({ noNaN: true, min: -1100, max: 1100 }),
  fc.float({ noNaN: true, min: 0, max: 1 }),
)

test('a number is written as JSON with six decimals below ten and three above', () => {
  fc.assert(
    fc.property(measured, (value) => {
      const read = JSON.parse(written((bytes) => bytes.decimal(value)))
      expect(read).toBeCloseTo(value, Math.abs(value) < 10 ? 5.9 : 2.9)
      expect(roundForJson(value)).toBeCloseTo(read, 10)
    }),
    { numRuns: 5000 },
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
  [10.0203, '10.02'],
  [9.020304, '9.020304'],
  [9.9999999, '10'],
  [123.456789, '123.457'],
  [998.9999, '999'],
  [1234.56789, '1234.568'],
  [0.05, '0.05'],
  [0.00005, '0.00005'],
  [3e38, '3e+38'],
  [Number.NaN, 'null'],
])('%d is written as %s', (value, text) => {
  expect(written((bytes) => bytes.decimal(value))).toBe(text)
})

test('microseconds and text are written unchanged', () => {
  expect(
    written((bytes) => {
      bytes.text('{"timestamp":')
      bytes.whole(1_794_749_430_001_573)
      bytes.raw(Buffer.from('}'))
    }),
  ).toBe('{"timestamp":1794749430001573}')
})
