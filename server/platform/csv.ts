type Cell = string | number | boolean | null

// What a spreadsheet would run as a formula when it opens the file; a plain number is none.
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^[+-]?\d+(\.\d+)?$/

const cellText = (cell: Cell) => {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const safe = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line of a file as RFC 4180 has it, without what would run as a formula. */
export const csvLine = (cells: Cell[]) => `${cells.map(cellText).join(',')}\r\n`
