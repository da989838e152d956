import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, parseHex, type Rgb, readableOn, toHex } from './contrast.ts'

const colour = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 255 }))) as fc.Arbitrary<Rgb>
const white: Rgb = [255, 255, 255]

test('black on white has the largest contrast there is', () => {
  expect(contrast([0, 0, 0], white)).toBeCloseTo(21)
})

test('any brand colour becomes readable on a light and on a dark ground', () => {
  fc.assert(
    fc.property(colour, (wanted) => {
      for (const ground of [white, [15, 23, 42] as Rgb]) {
        expect(contrast(readableOn(wanted, ground, 4.5), ground)).toBeGreaterThanOrEqual(4.5)
      }
    }),
  )
})

test('a colour that is readable already stays as it is', () => {
  expect(toHex(readableOn([15, 76, 129], white, 4.5))).toBe('#0f4c81')
})

test('a dark brand colour stays as colourful when it is made lighter', () => {
  const [red, green, blue] = readableOn([15, 118, 110], [30, 41, 59], 4.5)
  expect(green - red).toBeGreaterThan(118 - 15)
  expect(blue).toBeLessThan(green)
})

test('short and long hex forms are read, anything else is refused', () => {
  expect(parseHex('#0b7')).toEqual([0, 187, 119])
  expect(parseHex(' #0F4C81 ')).toEqual([15, 76, 129])
  expect(parseHex('url(#x)')).toBeUndefined()
  expect(parseHex('tomato')).toBeUndefined()
})
