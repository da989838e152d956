import './glow.css'
import type { ReactNode } from 'react'
import type { SearchedColumn } from './row-search.ts'
import type { Sort, SortedColumn } from './table-rows.ts'

export interface Column<Row> extends SearchedColumn<Row>, SortedColumn<Row> {
  header: string
  cell: (row: Row) => ReactNode
  widthPx: number
  /** The name of a row for screen readers, if its first cell contains more than that. */
  rowName?: (row: Row) => string
  align?: 'right' | 'center'
}

/** A column whose cells need something from the page, such as its handlers. */
export type PageColumn<Row, Page> = Omit<Column<Row>, 'cell'> & { cell: (row: Row, page: Page) => ReactNode }

export const bindColumns = <Row, Page>(columns: readonly PageColumn<Row, Page>[], page: Page): Column<Row>[] =>
  columns.map((column) => ({ ...column, cell: (row) => column.cell(row, page) }))

/** A column of plain text, sorted and searched by its text. */
export const textColumn = <Row>(key: string, header: string, widthPx: number, read: (row: Row) => string | null) => ({
  key,
  header,
  widthPx,
  cell: read,
  sortValue: read,
  search: read,
})

export interface DataTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  empty: ReactNode
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  onOpen?: (row: Row) => void
  rowHeightPx?: number
  /** When the row last changed; it is highlighted for a moment. */
  changedAtMs?: (row: Row) => number | undefined
  /** Called when the last rows come into view. */
  onEnd?: () => void
}

const glowMs = 2000

/** Which of the two animations of glow.css the row has. */
export function findGlow<Row>({ changedAtMs }: DataTableProps<Row>, row: Row): 'a' | 'b' | undefined {
  const at = changedAtMs?.(row)
  if (at === undefined || Date.now() - at > glowMs) return undefined
  return at % 2 === 0 ? 'a' : 'b'
}
