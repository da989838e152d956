export type CellValue = string | number | null

export interface Sort {
  key: string
  descending: boolean
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

const compare = (a: string | number, b: string | number) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))

/** Rows in order of one value. What is unknown comes last in both directions; equals keep their order. */
export function sortRows<Row>(rows: readonly Row[], sortValue: (row: Row) => CellValue, descending: boolean) {
  return rows.toSorted((left, right) => {
    const [a, b] = [sortValue(left), sortValue(right)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return descending ? compare(b, a) : compare(a, b)
  })
}

/** Rows that hold the text in one of their values, in any case of letters. */
export function searchRows<Row>(rows: readonly Row[], valuesOf: (row: Row) => CellValue[], text: string) {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return rows
  return rows.filter((row) =>
    valuesOf(row).some((value) => value !== null && String(value).toLowerCase().includes(wanted)),
  )
}

/** A press on a heading: first ascending, again the other way round. */
export const nextSort = (sort: Sort | undefined, key: string): Sort => ({
  key,
  descending: sort?.key === key && !sort.descending,
})
