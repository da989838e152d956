import { compareKeys, naturalKey } from './natural-order.ts'

export type CellValue = string | number | null

export interface Sort {
  key: string
  descending: boolean
}

const compare = (a: string | number, b: string | number) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareKeys(String(a), String(b))

const toSortKey = (value: CellValue) => (typeof value === 'string' ? naturalKey(value) : value)

/** Rows sorted by one value. Unknown values come last in both directions; the sort is stable. */
export function sortRows<Row>(rows: readonly Row[], sortValue: (row: Row) => CellValue, descending: boolean) {
  const keyed = rows.map((row) => ({ row, key: toSortKey(sortValue(row)) }))
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return descending ? compare(b, a) : compare(a, b)
  })
  return keyed.map(({ row }) => row)
}

/** Rows that contain the text in one of their values, ignoring case. */
export function searchRows<Row>(rows: readonly Row[], listValues: (row: Row) => CellValue[], text: string) {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return rows
  return rows.filter((row) =>
    listValues(row).some((value) => value !== null && String(value).toLowerCase().includes(wanted)),
  )
}

/** A click on a heading: ascending first, then the other direction. */
export const nextSort = (sort: Sort | undefined, key: string): Sort => ({
  key,
  descending: sort?.key === key && !sort.descending,
})
