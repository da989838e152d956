import type { ReactNode } from 'react'
import type { Sort } from './table-rows.ts'

export interface Column<Row> {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  widthPx: number
  align?: 'right' | 'center'
  isSortable?: boolean
}

export interface DataTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  empty: string
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  onOpen?: (row: Row) => void
  rowHeightPx?: number
  /** When the row last changed; it is highlighted for a moment. */
  changedAtMs?: (row: Row) => number | undefined
  /** The last rows have come into view. */
  onEnd?: () => void
}

const glowMs = 2000

/** Two names for one animation, so that a second change restarts it. */
export function findGlow<Row>({ changedAtMs }: DataTableProps<Row>, row: Row): 'a' | 'b' | undefined {
  const at = changedAtMs?.(row)
  if (at === undefined || Date.now() - at > glowMs) return undefined
  return at % 2 === 0 ? 'a' : 'b'
}
