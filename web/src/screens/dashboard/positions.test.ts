import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findPositions } from './positions.ts'

test('returns the positions of the items, and undefined for the whole list', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.func(fc.boolean()), (whole, isShown) => {
      const part = whole.filter(isShown)
      expect([...(findPositions(whole, part) ?? [])].map((at) => whole[at])).toEqual(part)
      expect(findPositions(whole, whole)).toBeUndefined()
    }),
  )
})
