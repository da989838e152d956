import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moveColumn, orderColumns, readChoice, shownColumns, toggleColumn } from './chosen-columns.ts'

const columns = ['name', 'kit', 'status', 'ipv4'].map((key) => ({ key }))
const none = readChoice(null)
const keys = (list: { key: string }[]) => list.map(({ key }) => key).join(' ')

test('without a choice all columns stand in their order', () => {
  expect(keys(shownColumns(columns, none))).toBe('name kit status ipv4')
})

test('a column moves one place, the first one never', () => {
  expect(keys(orderColumns(columns, moveColumn(columns, none, 'ipv4', -1)))).toBe('name kit ipv4 status')
  expect(moveColumn(columns, none, 'kit', -1)).toBe(none)
  expect(moveColumn(columns, none, 'ipv4', 1)).toBe(none)
  expect(moveColumn(columns, none, 'name', 1)).toBe(none)
})

test('what is hidden can be shown again, and the first column cannot be hidden', () => {
  const without = toggleColumn(toggleColumn(none, 'kit'), 'name')
  expect(keys(shownColumns(columns, without))).toBe('name status ipv4')
  expect(keys(shownColumns(columns, toggleColumn(without, 'kit')))).toBe('name kit status ipv4')
})

test('a column that is new since the choice was made stands after its neighbour', () => {
  const choice = readChoice('{"order":["name","ipv4","kit"],"hidden":[]}')
  expect(keys(orderColumns(columns, choice))).toBe('name ipv4 kit status')
})

test('whatever was kept, every column is there once and the first stays first', () => {
  const kept = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record({ order: fc.array(fc.constantFrom('kit', 'ipv4', 'name', 'gone')), hidden: fc.array(fc.string()) })
      .map((choice) => JSON.stringify(choice)),
  )
  fc.assert(
    fc.property(kept, (text) => {
      const ordered = orderColumns(columns, readChoice(text))
      expect(ordered[0]?.key).toBe('name')
      expect(keys(ordered).split(' ').sort()).toEqual(['ipv4', 'kit', 'name', 'status'])
    }),
  )
})
