import { CsvError, parse } from 'csv-parse/sync'
import { invalid } from '#contract/errors.ts'

export interface CsvRow {
  /** The line number at which the row begins, as in a text editor. */
  line: number
  cells: string[]
}

const LINE_ENDS = ['\r\n', '\n', '\r']

/** Spreadsheets in locales with decimal commas use semicolons. */
const detectDelimiter = (text: string) => {
  const header = text.slice(0, text.search(/[\r\n]|$/))
  const counted = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counted.sort((a, b) => b.count - a.count)[0]?.delimiter ?? ','
}

/** The rows of a CSV file, without empty ones. */
export const readCsv = (file: string): CsvRow[] => {
  const text = file.replace(/^\uFEFF/, '')
  const rows: CsvRow[] = []
  // csv-parse counts a CRLF inside quotes as two lines.
  let line = 1
  try {
    parse(text, {
      delimiter: detectDelimiter(text),
      record_delimiter: LINE_ENDS,
      relax_column_count: true,
      relax_quotes: true,
      raw: true,
      on_record: (given) => {
        // The types of csv-parse omit what `raw` adds.
        const { raw, record: cells } = given as unknown as { raw: string; record: string[] }
        if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells })
        line += raw.match(/\r\n|\n|\r/g)?.length ?? 0
        return undefined
      },
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalid(
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? `Line ${line}: a quotation mark is opened and never closed.`
        : `Line ${line}: this is not CSV.`,
    )
  }
  return rows
}
