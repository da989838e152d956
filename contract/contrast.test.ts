import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeContrast, parseHex, type Rgb, readableOn, toHex } from './contrast.ts'

const color = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 255 }))) as fc.Arbitrary<Rgb>
const white: Rgb = [255, 255, 255]

test('computes the largest contrast for black on white', () => {
  expect(computeContrast([0, 0, 0], white)).toBeCloseTo(21)
})

test('makes any brand color readable on a light and on a dark background', () => {
  fc.assert(
    fc.property(color, (wanted) => {
      for (const ground of [white, [15, 23, 42] as Rgb]) {
        expect(computeContrast(readableOn(wanted, ground, 4.5), ground)).toBeGreaterThanOrEqual(4.5)
      }
    }),
  )
})

test('leaves a readable color unchanged', () => {
  expect(toHex(readableOn([15, 76, 129], white, 4.5))).toBe('#0f4c81')
})

test('preserves the saturation of a dark brand color when it is made lighter', () => {
  const [red, green, blue] = readableOn([15, 118, 110], [30, 41, 59], 4.5)
  expect(green - red).toBeGreaterThan(118 - 15)
  expect(blue).toBeLessThan(green)
})

test('parses short and long hex forms and refuses anything else', () => {
  expect(parseHex('#0b7')).toEqual([0, 187, 119])
  expect(parseHex(' #0F4C81 ')).toEqual([15, 76, 129])
  expect(parseHex('url(#x)')).toBeUndefined()
  expect(parseHex('tomato')).toBeUndefined()
})
