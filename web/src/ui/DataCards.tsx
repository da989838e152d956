import { NativeSelect, Skeleton, Text } from '@mantine/core'
import classes from './DataCards.module.css'
import { type DataTableProps, findGlow } from './data-table.ts'
import { useCardsInView } from './use-virtual-rows.ts'

const labelHeightPx = 28
const skeletonCards = ['a', 'b', 'c']

/**
 * The rows of a table where there is no room for columns: each cell next to its heading, the first one as the title.
 */
export function DataCards<Row>(props: DataTableProps<Row>) {
  const { columns, rows, onOpen } = props
  const { list, virtual } = useCardsInView(props, columns.length * labelHeightPx + 40)
  return (
    <>
      <SortChoice {...props} />
      {rows?.length === 0 && (
        <Text c="var(--quiet)" ta="center" p="xl">
          {props.empty}
        </Text>
      )}
      {rows === undefined && (
        <div role="status" aria-label={`Loading ${props.label}`}>
          {skeletonCards.map((card) => (
            <Skeleton key={card} height={160} mb="sm" radius={12} />
          ))}
        </div>
      )}
      {rows && rows.length > 0 && (
        <ul ref={list} className={classes.list} aria-label={props.label}>
          <li aria-hidden="true" style={{ height: virtual.getTotalSize() }} />
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index] as Row
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={classes.place}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
              >
                {/* A pointer may press anywhere on the card; the keyboard has a button in it. */}
                {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: see above */}
                <div
                  className={classes.card}
                  data-opens={onOpen !== undefined || undefined}
                  data-glow={findGlow(props, row)}
                  onClick={() => onOpen?.(row)}
                >
                  <dl className={classes.facts}>
                    {columns.map((column, place) => (
                      <div key={column.key} data-name={place === 0 || undefined}>
                        <dt>{column.header}</dt>
                        <dd>{column.cell(row)}</dd>
                      </div>
                    ))}
                  </dl>
                </div>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

/** Without column headings, the sort order is selected here. */
function SortChoice<Row>({ columns, rows, sort, onSort }: DataTableProps<Row>) {
  const sortable = columns.filter(({ sortValue }) => sortValue)
  if (!onSort || sortable.length === 0 || rows?.length === 0) return null
  const choices = sortable.flatMap(({ key, header }) => [
    { value: `${key} up`, label: `${header}, ascending` },
    { value: `${key} down`, label: `${header}, descending` },
  ])
  const choose = (value: string) => {
    const [key, direction] = value.split(' ') as [string, string]
    if (key) onSort({ key, descending: direction === 'down' })
  }
  return (
    <NativeSelect
      aria-label="Sort by"
      mb={12}
      data={[...(sort ? [] : [{ value: '', label: 'Sort by' }]), ...choices]}
      value={sort ? `${sort.key} ${sort.descending ? 'down' : 'up'}` : ''}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  )
}
