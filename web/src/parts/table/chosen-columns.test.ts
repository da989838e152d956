import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatColumns,
  listShownColumns,
  moveColumn,
  orderColumns,
  readChoice,
  readColumns,
  toggleColumn,
} from './chosen-columns.ts'

const columns = ['name', 'kit', 'status', 'ipv4'].map((key) => ({ key }))
const none = readChoice(null)
const keys = (list: { key: string }[]) => list.map(({ key }) => key).join(' ')

test('shows all columns in their order without a choice', () => {
  expect(keys(listShownColumns(columns, none))).toBe('name kit status ipv4')
})

test('moves a column one place, but never the first one', () => {
  expect(keys(orderColumns(columns, moveColumn(columns, none, 'ipv4', -1)))).toBe('name kit ipv4 status')
  expect(moveColumn(columns, none, 'kit', -1)).toBe(none)
  expect(moveColumn(columns, none, 'ipv4', 1)).toBe(none)
  expect(moveColumn(columns, none, 'name', 1)).toBe(none)
})

test('shows a hidden column again, and never hides the first one', () => {
  const without = toggleColumn(toggleColumn(none, 'kit'), 'name')
  expect(keys(listShownColumns(columns, without))).toBe('name status ipv4')
  expect(keys(listShownColumns(columns, toggleColumn(without, 'kit')))).toBe('name kit status ipv4')
})

test('an address has the shown columns in their order', () => {
  const shown = listShownColumns(columns, readColumns(columns, 'name,ipv4,kit'))
  expect(keys(shown)).toBe('name ipv4 kit')
  expect(formatColumns(shown)).toBe('name,ipv4,kit')
  expect(keys(listShownColumns(columns, readColumns(columns, 'gone')))).toBe('name')
})

test('puts a column that is newer than the choice after its neighbor', () => {
  const choice = readChoice('{"order":["name","ipv4","kit"],"hidden":[]}')
  expect(keys(orderColumns(columns, choice))).toBe('name ipv4 kit status')
})

test('contains every column once, the first one first, whatever was stored', () => {
  const stored = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record({ order: fc.array(fc.constantFrom('kit', 'ipv4', 'name', 'gone')), hidden: fc.array(fc.string()) })
      .map((choice) => JSON.stringify(choice)),
  )
  fc.assert(
    fc.property(stored, (text) => {
      const ordered = orderColumns(columns, readChoice(text))
      expect(ordered[0]?.key).toBe('name')
      expect(keys(ordered).split(' ').sort()).toEqual(['ipv4', 'kit', 'name', 'status'])
    }),
  )
})
