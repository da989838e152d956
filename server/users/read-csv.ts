export interface CsvRow {
  /** Where the row begins, as a text editor counts. */
  line: number
  cells: string[]
}

/** Spreadsheets of half the world write semicolons, because the comma stands in their numbers. */
const separatorOf = (text: string) => {
  const header = text.slice(0, text.search(/[\r\n]|$/))
  const counted = [',', ';', '\t'].map((separator) => ({ separator, count: header.split(separator).length }))
  return counted.sort((a, b) => b.count - a.count)[0]?.separator ?? ','
}

/** Rows of a CSV file as RFC 4180 has it, without those that are empty. A quote that never ends takes the rest along. */
export const readCsv = (file: string): CsvRow[] => {
  const text = file.replace(/^\uFEFF/, '')
  const separator = separatorOf(text)
  const rows: CsvRow[] = []
  let cells: string[] = []
  let cell = ''
  let quoted = false
  let line = 1
  let start = 1
  const endCell = () => {
    cells.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (cells.some((each) => each.trim() !== '')) rows.push({ line: start, cells })
    cells = []
  }
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string
    if (letter === '\n') line++
    if (quoted) {
      if (letter !== '"') cell += letter
      else if (text[at + 1] === '"') cell += text[at++]
      else quoted = false
    } else if (letter === '"' && cell === '') quoted = true
    else if (letter === separator) endCell()
    else if (letter === '\n' || letter === '\r') {
      if (letter === '\r' && text[at + 1] === '\n') continue
      endRow()
      start = line
    } else cell += letter
  }
  endRow()
  return rows
}
