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
  /** Undefined while they are being loaded. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  empty: string
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  onOpen?: (row: Row) => void
  /** The last rows have come into view. */
  onEnd?: () => void
}
