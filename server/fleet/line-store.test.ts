import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatItem, type Item, NO_METADATA, NO_POOL, type View } from './fragments.ts'
import { createLineStore } from './line-store.ts'
import type { Line } from './text-page.ts'

const buildItem = (lineId: number, place: number, text: string): Item => ({
  id: place === 1 ? String(lineId) : `${lineId}.${place}`,
  list: `"id":"${lineId}.${place}","name":${JSON.stringify(text)}`,
  more: `"latency":${text.length}`,
  pool: text.length % 3 === 0 ? NO_POOL : `"virtual_plan_name":${JSON.stringify(text)}`,
  metadata: text.length % 2 === 0 ? NO_METADATA : `"metadata1":${JSON.stringify(text)}`,
  isPoolShared: text.length % 5 === 1,
})

const line = fc.record({
  group: fc.constantFrom('north', 'south'),
  texts: fc.array(fc.string(), { minLength: 1, maxLength: 3 }),
})
const change = fc.record({ lineId: fc.nat({ max: 700 }), line: fc.option(line, { nil: undefined }) })

const views: View[] = [undefined, 'north'].flatMap((group) => [
  { group, details: false, metadata: false },
  { group, details: true, metadata: false },
  { group, details: true, metadata: true },
])

test('each view has exactly the current lines after any sequence of additions, changes and removals', () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 30 }), { maxLength: 6 }), (rounds) => {
      const store = createLineStore()
      const plain: Line = { group: 'north', items: [] }
      const known = new Map(
        Array.from({ length: 600 }, (_, id) => [id, { ...plain, items: [buildItem(id, 1, `Häfn ${id}`)] }] as const),
      ) as Map<number, Line>
      store.apply(known)
      for (const round of rounds) {
        const changes = new Map(
          round.map(({ lineId, line }) => {
            const items = line?.texts.map((text, index) => buildItem(lineId, index + 1, text)) ?? []
            return [lineId, line && { group: line.group, items }]
          }),
        )
        store.apply(changes)
        for (const [id, next] of changes)
          if (next) known.set(id, next)
          else known.delete(id)
      }
      expect([...store.lineIds()].sort()).toEqual([...known.keys()].sort())
      for (const id of [...known.keys(), 9_999]) expect(store.get(id)).toEqual(known.get(id))
      for (const view of views) {
        const seen = [...known.values()].filter(({ group }) => view.group === undefined || group === view.group)
        const expected = seen.flatMap(({ items }) => items.map((item) => JSON.parse(`{${formatItem(item, view)}}`)))
        const actual: { id: string }[] = JSON.parse(String(store.format(view, '[', ']')))
        const byId = (items: { id: string }[]) => items.toSorted((a, b) => (a.id < b.id ? -1 : 1))
        expect(byId(actual)).toEqual(byId(expected))
      }
    }),
    { numRuns: 30 },
  )
})

test('formats a fleet without lines as an empty list', () => {
  const store = createLineStore()
  expect(String(store.format({ group: undefined, details: true, metadata: true }, '[', ']'))).toBe('[]')
})
