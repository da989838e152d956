import { Skeleton } from '@mantine/core'
import { DataCards } from './DataCards.tsx'
import classes from './DataTable.module.css'
import { type Column, type DataTableProps, findGlow } from './data-table.ts'
import { nextSort, type Sort } from './table-rows.ts'
import { useIsNarrow } from './use-is-narrow.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

const usualRowHeightPx = 44
const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** A text that is cut off can be read by pointing at it. */
const nameCutCell = ({ target }: { target: EventTarget }) => {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td, th') : null
  if (!cell || cell.querySelector('[title]')) return
  cell.title = cell.scrollWidth > cell.clientWidth ? (cell.textContent ?? '') : ''
}

/** A virtualized table. On a narrow screen each row is a card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const isNarrow = useIsNarrow()
  return isNarrow ? <DataCards {...props} /> : <WideTable {...props} />
}

/** The header and the first column are sticky. */
function WideTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowHeightPx = usualRowHeightPx } = props
  const count = rows?.length ?? 0
  const { scroller, virtual } = useVirtualRows<HTMLDivElement, Row>(props, rowHeightPx)
  const items = virtual.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const widthPx = columns.reduce((sum, column) => sum + column.widthPx, 0)
  return (
    <section
      ref={scroller}
      className={classes.scroller}
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={{ scrollPaddingLeft: columns[0]?.widthPx }}
      onScroll={({ currentTarget }) => currentTarget.toggleAttribute('data-scrolled', currentTarget.scrollLeft > 0)}
      onMouseOver={nameCutCell}
      onFocus={nameCutCell}
    >
      <table className={classes.table} style={{ minWidth: widthPx }} aria-rowcount={rows && count + 1}>
        <colgroup>
          {columns.map(({ key, widthPx: width }) => (
            <col key={key} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        {above > 0 && <Gap heightPx={above} span={columns.length} />}
        <tbody>
          {items.map(({ index, key }) => (
            <DataRow key={key} {...props} row={rows?.[index] as Row} index={index} />
          ))}
          {rows?.length === 0 && (
            <tr>
              <td className={classes.empty} colSpan={columns.length}>
                <span className={classes.emptyText}>{props.empty}</span>
              </td>
            </tr>
          )}
        </tbody>
        {below > 0 && <Gap heightPx={below} span={columns.length} />}
        {rows === undefined && <LoadingRows columns={columns} heightPx={rowHeightPx} />}
      </table>
    </section>
  )
}

interface HeadingProps<Row> {
  column: Column<Row>
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
}

function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const { key, header, align, sortValue } = column
  const direction = sort?.key === key ? (sort.descending ? 'descending' : 'ascending') : 'none'
  if (!sortValue || !onSort) {
    return (
      <th scope="col" data-align={align}>
        {header}
      </th>
    )
  }
  return (
    <th scope="col" data-align={align} aria-sort={direction}>
      <button type="button" className={classes.sort} onClick={() => onSort(nextSort(sort, key))}>
        {header}
        <span className={classes.arrow} data-direction={direction} aria-hidden="true" />
      </button>
    </th>
  )
}

function DataRow<Row>(props: DataTableProps<Row> & { row: Row; index: number }) {
  const { row, index, columns, onOpen, rowHeightPx = usualRowHeightPx } = props
  // A pointer may click anywhere in the row; the keyboard has a button in one of its cells.
  return (
    <tr
      aria-rowindex={index + 2}
      style={{ height: rowHeightPx }}
      data-opens={onOpen !== undefined || undefined}
      data-glow={findGlow(props, row)}
      onClick={() => onOpen?.(row)}
    >
      {columns.map(({ key, cell, align, rowName }, place) =>
        place === 0 ? (
          <th key={key} scope="row" data-align={align} aria-label={rowName?.(row)}>
            {cell(row)}
          </th>
        ) : (
          <td key={key} data-align={align}>
            {cell(row)}
          </td>
        ),
      )}
    </tr>
  )
}

/** A spacer for the rows that are out of view. */
const Gap = ({ heightPx, span }: { heightPx: number; span: number }) => (
  <tbody aria-hidden="true">
    <tr className={classes.gap}>
      <td colSpan={span} style={{ height: heightPx }} />
    </tr>
  </tbody>
)

const LoadingRows = ({ columns, heightPx }: { columns: readonly { key: string }[]; heightPx: number }) => (
  <tbody aria-hidden="true">
    {skeletonRows.map((row) => (
      <tr key={row} style={{ height: heightPx }}>
        {columns.map(({ key }) => (
          <td key={key}>
            <Skeleton height={12} />
          </td>
        ))}
      </tr>
    ))}
  </tbody>
)
