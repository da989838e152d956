import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextSort, sortByColumn, sortRows } from './table-rows.ts'

const itself = (value: string | number | null) => value

describe('sorting', () => {
  it('sorts numbers in names by value and ignores case', () => {
    expect(sortRows(['Pool 10', 'pool 2', 'Pool 1'], itself, false)).toEqual(['Pool 1', 'pool 2', 'Pool 10'])
  })

  it('puts unknown values last in both directions', () => {
    expect(sortRows([null, 2, 1], itself, false)).toEqual([1, 2, null])
    expect(sortRows([null, 2, 1], itself, true)).toEqual([2, 1, null])
  })

  it('returns every row, and is stable', () => {
    const rows = fc.array(fc.record({ value: fc.option(fc.integer({ max: 3, min: 0 })), place: fc.nat() }))
    fc.assert(
      fc.property(rows, fc.boolean(), (list, descending) => {
        const numbered = list.map((row, place) => ({ ...row, place }))
        const sorted = sortRows(numbered, (row) => row.value, descending)
        expect(sorted.toSorted((a, b) => a.place - b.place)).toEqual(numbered)
        for (const [index, row] of sorted.slice(1).entries()) {
          const before = sorted[index] as (typeof sorted)[number]
          if (before.value === row.value) expect(before.place).toBeLessThan(row.place)
        }
      }),
    )
  })

  it('follows the column of the sort, and changes nothing when no such column can be sorted', () => {
    const columns = [{ key: 'size', sortValue: ({ size }: { size: number }) => size }, { key: 'actions' }]
    const rows = [{ size: 2 }, { size: 1 }]
    expect(sortByColumn(rows, columns, { key: 'size', descending: false })).toEqual([{ size: 1 }, { size: 2 }])
    for (const key of ['actions', 'constructor'])
      expect(sortByColumn(rows, columns, { key, descending: true })).toBe(rows)
    expect(sortByColumn(rows, columns, undefined)).toBe(rows)
  })

  it('starts ascending and reverses at the second click', () => {
    const first = nextSort(undefined, 'email')
    expect(first).toEqual({ key: 'email', descending: false })
    expect(nextSort(first, 'email')).toEqual({ key: 'email', descending: true })
    expect(nextSort({ key: 'email', descending: true }, 'email')).toEqual({ key: 'email', descending: false })
    expect(nextSort(first, 'role')).toEqual({ key: 'role', descending: false })
  })
})
