import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExact } from './exact-json.ts'

test('preserves every digit of integers past 2^53 and parses all other values like JSON.parse', () => {
  const text =
    '{"cell":600654498502803455,"ns":[ 1730564202000000001,-1730564202000000001],"small":1730564202,"float":0.38705536000000035}'
  expect(parseExact(text)).toEqual({
    cell: '600654498502803455',
    ns: ['1730564202000000001', '-1730564202000000001'],
    small: 1730564202,
    float: 0.38705536000000035,
  })
})

test('parses a long number with a fraction or an exponent as a number', () => {
  const text = '[12345678901234567.5,12345678901234567e2,1.0e+16]'
  expect(parseExact(text)).toEqual(JSON.parse(text))
})

test('does not change digits inside a string', () => {
  const note = 'order ,1234567890123456789, and [1234567890123456789] "quoted" \\ end'
  expect(parseExact(JSON.stringify({ note, ns: 1 }))).toEqual({ note, ns: 1 })
  expect(parseExact(`{"note":${JSON.stringify(note)},"ns":1730564202000000001}`)).toEqual({
    note,
    ns: '1730564202000000001',
  })
})

test('parses any JSON without big integers like JSON.parse', () => {
  const value = fc
    .jsonValue()
    .filter((sample) => !/\d{16,}/.test(JSON.stringify(sample).replace(/"(?:[^"\\]|\\.)*"/g, '')))
  fc.assert(
    fc.property(value, (sample) => {
      const text = JSON.stringify(sample)
      expect(parseExact(text)).toEqual(JSON.parse(text))
    }),
  )
})
