import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyStableOrder } from './stable-order.ts'

const row = (id: string, value = 0) => ({ id, value })
const idOf = ({ id }: { id: string }) => id

test('rows keep their places with their new values, new ones come last, gone ones leave', () => {
  const shown = [row('a', 1), row('b', 2), row('c', 3)]
  const next = [row('d', 0), row('c', 9), row('a', 10)]
  expect(applyStableOrder(shown, next, idOf)).toEqual([row('a', 10), row('c', 9), row('d', 0)])
})

test('what is shown is always exactly what there is', () => {
  const rows = fc.uniqueArray(fc.record({ id: fc.string(), value: fc.integer() }), { selector: idOf })
  fc.assert(
    fc.property(rows, rows, (shown, next) => {
      const kept = applyStableOrder(shown, next, idOf)
      expect(new Set(kept)).toEqual(new Set(next))
      expect(kept).toHaveLength(next.length)
    }),
  )
})
