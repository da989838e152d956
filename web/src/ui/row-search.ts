import { fold } from '#contract/format/fold.ts'

type SearchValue = string | number | false | null | undefined

export interface SearchedColumn<Row> {
  /** The text to search in this column. Without it the column is not searched. */
  search?: (row: Row) => SearchValue | readonly SearchValue[]
}

interface Step<Row> {
  wanted: string
  found: readonly Row[]
  texts: readonly string[] | undefined
}

export interface RowSearch<Row extends object> {
  /**
   * The rows that contain the text in any column, ignoring case; the same array if all do. A longer text is searched
   * only in the previous result, and a shorter one reuses an earlier result.
   */
  find: <Item extends Row>(rows: readonly Item[], text: string) => readonly Item[]
  /**
   * Builds the search texts of many rows while the browser is idle, so that the first letter of a search is as fast as
   * the others. Stops when `signal` aborts.
   */
  prepare: (rows: readonly Row[], signal: AbortSignal) => void
  isPrepared: (rows: readonly Row[]) => boolean
}

const rowsAtATime = 200

/** A search through the columns of a table. The text of a row is built once, so rows must not be changed in place. */
export function createRowSearch<Row extends object>(columns: readonly SearchedColumn<Row>[]): RowSearch<Row> {
  const textsByRow = new WeakMap<Row, string>()
  const preparedTexts = new WeakMap<readonly Row[], readonly string[]>()
  const stepsByRows = new WeakMap<readonly Row[], Step<Row>[]>()

  const getText = (row: Row) => {
    const known = textsByRow.get(row)
    if (known !== undefined) return known
    const text = buildText(columns, row)
    textsByRow.set(row, text)
    return text
  }

  const narrow = ({ found, texts }: Step<Row>, wanted: string): Step<Row> => {
    const nextFound: Row[] = []
    const nextTexts: string[] = []
    for (let at = 0; at < found.length; at++) {
      const row = found[at] as Row
      const text = texts?.[at] ?? getText(row)
      if (!text.includes(wanted)) continue
      nextFound.push(row)
      nextTexts.push(text)
    }
    return nextFound.length === found.length
      ? { wanted, found, texts: texts ?? nextTexts }
      : { wanted, found: nextFound, texts: nextTexts }
  }

  return {
    find<Item extends Row>(rows: readonly Item[], text: string) {
      const wanted = fold(text)
      // The cached results of a list contain only its own rows.
      const steps = (stepsByRows.get(rows) ?? []) as Step<Item>[]
      const usable = steps.filter((step) => wanted.includes(step.wanted))
      const last = usable.at(-1) ?? { wanted: '', found: rows, texts: preparedTexts.get(rows) }
      if (last.wanted === wanted) return last.found
      const next = narrow(last, wanted) as Step<Item>
      stepsByRows.set(rows, [...usable, next])
      return next.found
    },
    prepare(rows, signal) {
      const texts: string[] = []
      const proceed = (hasTime: () => boolean) => {
        if (signal.aborted) return
        do {
          for (const row of rows.slice(texts.length, texts.length + rowsAtATime)) texts.push(getText(row))
        } while (texts.length < rows.length && hasTime())
        if (texts.length < rows.length) whenIdle(proceed)
        else preparedTexts.set(rows, texts)
      }
      whenIdle(proceed)
    },
    isPrepared: (rows) => preparedTexts.has(rows),
  }
}

function buildText<Row>(columns: readonly SearchedColumn<Row>[], row: Row) {
  let text = ''
  for (const { search } of columns) {
    const value = search?.(row)
    if (Array.isArray(value)) for (const each of value) text = appendValue(text, each)
    else text = appendValue(text, value as SearchValue)
  }
  return fold(text)
}

// A line break keeps a search from matching the end of one value and the beginning of the next.
const appendValue = (text: string, value: SearchValue) =>
  value === null || value === undefined || value === false ? text : `${text}${value}\n`

const whenIdle = (work: (hasTime: () => boolean) => void) => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback((deadline) => work(() => deadline.timeRemaining() > 2))
  else setTimeout(work, 20, () => false)
}
