import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyStableOrder } from './stable-order.ts'

const row = (id: string, value = 0) => ({ id, value })
const getId = ({ id }: { id: string }) => id

test('leaves rows in place with their new values, appends new ones and drops removed ones', () => {
  const shown = [row('a', 1), row('b', 2), row('c', 3)]
  const next = [row('d', 0), row('c', 9), row('a', 10)]
  expect(applyStableOrder(shown, next, getId)).toEqual([row('a', 10), row('c', 9), row('d', 0)])
})

test('returns exactly the newest rows, in any order', () => {
  const rows = fc.uniqueArray(fc.record({ id: fc.string(), value: fc.integer() }), { selector: getId })
  fc.assert(
    fc.property(rows, rows, (shown, next) => {
      const ordered = applyStableOrder(shown, next, getId)
      expect(new Set(ordered)).toEqual(new Set(next))
      expect(ordered).toHaveLength(next.length)
    }),
  )
})
