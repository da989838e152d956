import { Skeleton, Text } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import type { TerminalListItem } from '#contract/terminals.ts'
import { useFixedHeightRows } from '../../ui/use-fixed-height-rows.ts'
import { useNow } from '../../ui/use-now.ts'
import classes from './TerminalList.module.css'
import { TerminalRow } from './TerminalRow.tsx'

interface TerminalListProps {
  terminals: readonly TerminalListItem[]
  changedAtMs: ReadonlyMap<string, number>
  halfHour: number | undefined
  empty: ReactNode
  highlightedId: string | undefined
  /** The terminal whose marker was clicked; its row is scrolled into view. */
  pickedId: string | undefined
  onHighlight: (id: string | undefined) => void
}

const rowHeightPx = 60

/** Renders only the rows in view. */
export function TerminalList(props: TerminalListProps) {
  const { terminals, changedAtMs, halfHour, highlightedId, pickedId, onHighlight } = props
  const { scroller, indexes, scrollTo } = useFixedHeightRows<HTMLUListElement>(terminals.length, rowHeightPx)
  const now = useNow(15_000)
  const pickedAt = pickedId === undefined ? -1 : terminals.findIndex(({ id }) => id === pickedId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a press moves the list, not what happens in it later
  useEffect(() => {
    if (pickedAt >= 0) scrollTo(pickedAt)
  }, [pickedId])

  if (terminals.length === 0) {
    return (
      <Text c="var(--quiet)" ta="center" p="xl">
        {props.empty}
      </Text>
    )
  }
  return (
    <ul
      ref={scroller}
      className={classes.scroller}
      aria-label="Terminals"
      onPointerLeave={() => onHighlight(undefined)}
    >
      <li aria-hidden="true" style={{ height: terminals.length * rowHeightPx }} />
      {indexes.map((index) => {
        const terminal = terminals[index] as TerminalListItem
        return (
          <li
            key={terminal.id}
            className={classes.item}
            style={{ height: rowHeightPx, transform: `translateY(${index * rowHeightPx}px)` }}
            aria-setsize={terminals.length}
            aria-posinset={index + 1}
          >
            <TerminalRow
              terminal={terminal}
              changedAtMs={changedAtMs.get(terminal.id)}
              nowMs={now}
              halfHour={halfHour}
              highlighted={terminal.id === highlightedId}
              onHighlight={onHighlight}
            />
          </li>
        )
      })}
    </ul>
  )
}

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

export const ListSkeleton = () => (
  <div role="status" aria-label="Loading terminals">
    {skeletonRows.map((row) => (
      <div key={row} className={classes.skeletonRow}>
        <Skeleton height={14} width="55%" />
        <Skeleton height={10} width="35%" mt={8} />
      </div>
    ))}
  </div>
)
