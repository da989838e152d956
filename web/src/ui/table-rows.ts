import { buildNaturalKey, compareKeys } from '#contract/format/natural-order.ts'

export type CellValue = string | number | null

export interface Sort {
  key: string
  descending: boolean
}

const compare = (a: string | number, b: string | number) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareKeys(String(a), String(b))

const toSortKey = (value: CellValue) => (typeof value === 'string' ? buildNaturalKey(value) : value)

/** Rows sorted by one value. Unknown values come last in both directions; the sort is stable. */
export function sortRows<Row>(rows: readonly Row[], sortValue: (row: Row) => CellValue, descending: boolean) {
  const keyed = rows.map((row) => ({ row, key: toSortKey(sortValue(row)) }))
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return descending ? compare(b, a) : compare(a, b)
  })
  return keyed.map(({ row }) => row)
}

export interface SortedColumn<Row> {
  key: string
  /** The sort key. Without it the column cannot be sorted. */
  sortValue?: (row: Row) => CellValue
}

/** Returns the same array if the sort names no sortable column. */
export function sortByColumn<Row>(
  rows: readonly Row[],
  columns: readonly SortedColumn<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const sortValue = columns.find(({ key }) => key === sort?.key)?.sortValue
  return sort && sortValue ? sortRows(rows, sortValue, sort.descending) : rows
}

/** A click on a heading: ascending first, then the other direction. */
export const nextSort = (sort: Sort | undefined, key: string): Sort => ({
  key,
  descending: sort?.key === key && !sort.descending,
})
