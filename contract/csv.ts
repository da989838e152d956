type CsvCell = string | number | boolean | null | undefined

// A spreadsheet runs such a cell as a formula when it opens the file, in East Asian locales with wide signs too. A plain
// number is harmless.
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const NUMBER = /^[+-]?\d+(\.\d+)?$/
// Where the decimal separator is a comma, a spreadsheet splits cells at semicolons, and could find a formula after one.
const NEEDS_QUOTES = /[",;\t\r\n]/

/** A sum of decimal fractions has an error in its last digits, such as 112.82999999999998. */
const formatNumber = (value: number) => String(Number.isInteger(value) ? value : Number(value.toPrecision(12)))

const formatCell = (cell: CsvCell) => {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return formatNumber(cell)
  if (typeof cell !== 'string') return String(cell)
  const safe = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One row of an RFC 4180 file, with formulas neutralized. */
export const formatCsvRow = (cells: readonly CsvCell[]) => `${cells.map(formatCell).join(',')}\r\n`

export interface CsvColumn<Row> {
  header: string
  value: (row: Row) => CsvCell
}

/** A whole RFC 4180 file: a header row, then one row for each item. */
export const formatCsv = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]) =>
  [columns.map(({ header }) => header), ...rows.map((row) => columns.map(({ value }) => value(row)))]
    .map(formatCsvRow)
    .join('')
