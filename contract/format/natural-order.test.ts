import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildNaturalKey, compareKeys, compareNatural, sortNaturally } from './natural-order.ts'

const sorted = (...names: string[]) => names.toSorted((a, b) => compareKeys(buildNaturalKey(a), buildNaturalKey(b)))

test('sorts numbers by value and ignores case and accents', () => {
  expect(sorted('Boat 10', 'boat 9', 'Boat 1')).toEqual(['Boat 1', 'boat 9', 'Boat 10'])
  expect(sorted('Ünalakleet', 'Wales', 'Utqiaġvik', 'Tok')).toEqual(['Tok', 'Ünalakleet', 'Utqiaġvik', 'Wales'])
})

test('sorts names by the value of numbers inside them', () => {
  const number = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(number, number, (a, b) => {
      expect(compareKeys(buildNaturalKey(`Dish ${a}x`), buildNaturalKey(`DISH ${b}x`))).toBe(Math.sign(a - b))
    }),
  )
})

test('is transitive', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (a, b, c) => {
      const [first, second, third] = sorted(a, b, c).map(buildNaturalKey) as [string, string, string]
      expect([first <= second, second <= third, first <= third]).toEqual([true, true, true])
    }),
  )
})

test('sorts lists of names and of what has a name', () => {
  expect(['Boat 10', 'Boat 9', 'boat 9'].sort(compareNatural)).toEqual(['Boat 9', 'boat 9', 'Boat 10'])
  const boats = [{ name: 'Boat 10' }, { name: 'boat 9', id: 2 }, { name: 'Boat 9', id: 1 }]
  expect(sortNaturally(boats, ({ name }) => name)).toEqual([boats[1], boats[2], boats[0]])
})
