import { expect, test } from 'vitest'
import { selectRange } from './select-range.ts'

const rows = Array.from({ length: 10_000 }, (_, at) => ({ id: String(at) }))
const list = (ids: ReadonlySet<string>) => [...ids].sort().join(' ')

test('a press selects one row, and the next press on it deselects it', () => {
  const one = selectRange(rows, new Set(['7']), undefined, '3')
  expect(list(one)).toBe('3 7')
  expect(list(selectRange(rows, one, undefined, '3'))).toBe('7')
})

test('a range goes in both directions, and deselects too', () => {
  expect(list(selectRange(rows, new Set(['2']), '2', '5'))).toBe('2 3 4 5')
  expect(list(selectRange(rows, new Set(['5']), '5', '2'))).toBe('2 3 4 5')
  expect(list(selectRange(rows, new Set(['2', '3', '4', '5']), '3', '5'))).toBe('2')
})

test('a range whose first row is hidden is one row', () => {
  expect(list(selectRange(rows, new Set(['gone']), 'gone', '5'))).toBe('5 gone')
})

test('a range can be the whole list', () => {
  expect(selectRange(rows, new Set(['0']), '0', '9999').size).toBe(10_000)
})
