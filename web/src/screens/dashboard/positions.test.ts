import fc from 'fast-check'
import { expect, test } from 'vitest'
import { positionsIn } from './positions.ts'

test('the positions lead to the very items, and a whole list needs none', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.func(fc.boolean()), (whole, isKept) => {
      const part = whole.filter(isKept)
      expect([...(positionsIn(whole, part) ?? [])].map((at) => whole[at])).toEqual(part)
      expect(positionsIn(whole, whole)).toBeUndefined()
    }),
  )
})
