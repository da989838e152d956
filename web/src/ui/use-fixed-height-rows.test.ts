import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listRowsInView } from './use-fixed-height-rows.ts'

test('lists every row in view and no more than a few beyond', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(100_000), fc.nat(40), (count, first, fitting) => {
      const rows = listRowsInView(count, { first, fitting })
      expect(rows.every((index) => index >= 0 && index < count)).toBe(true)
      expect(rows.length).toBeLessThanOrEqual(fitting + 12)
      if (first + fitting <= count) expect(rows.slice(first - (rows[0] ?? 0)).slice(0, fitting)).toHaveLength(fitting)
    }),
  )
})

test('lists the last rows when a list became shorter than where it is scrolled to', () => {
  expect(listRowsInView(3, { first: 500, fitting: 10 })).toEqual([0, 1, 2])
  expect(listRowsInView(40, { first: 500, fitting: 10 }).at(-1)).toBe(39)
  expect(listRowsInView(0, { first: 0, fitting: 10 })).toEqual([])
})
