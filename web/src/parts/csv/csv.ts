export type Cell = string | number | boolean | null | undefined

// What a spreadsheet would run as a formula when it opens the file; a plain number is none.
const formula = /^[=+\-@\t\r]/
const plainNumber = /^[+-]?\d+(\.\d+)?$/
const needsQuotes = /[",\r\n]/

function cellText(cell: Cell) {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const safe = formula.test(cell) && !plainNumber.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export interface CsvColumn<Row> {
  header: string
  value: (row: Row) => Cell
}

/** A file as RFC 4180 has it, without what would run as a formula. */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]) {
  const lines = [columns.map(({ header }) => cellText(header)).join(',')]
  for (const row of rows) lines.push(columns.map(({ value }) => cellText(value(row))).join(','))
  return `${lines.join('\r\n')}\r\n`
}

export const csvFile = (text: string) => new Blob([text], { type: 'text/csv;charset=utf-8' })
