import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef } from 'react'
import type { DataTableProps } from './data-table.ts'

const nearEndRows = 20

/** The rows in view of a scrolling list. Calls `onEnd` when its end comes near. */
export function useVirtualRows<Scroller extends HTMLElement, Row>(
  { rows, rowKey, onEnd }: Pick<DataTableProps<Row>, 'rows' | 'rowKey' | 'onEnd'>,
  heightPx: number,
) {
  const scroller = useRef<Scroller>(null)
  const count = rows?.length ?? 0
  // A new function would make the list measure all its rows again each time one of them changes.
  const keyAt = useCallback(
    (index: number) => (rows?.[index] === undefined ? index : rowKey(rows[index])),
    [rows, rowKey],
  )
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => heightPx,
    getItemKey: keyAt,
    overscan: 8,
  })
  const lastInView = virtual.getVirtualItems().at(-1)?.index ?? -1
  const isNearEnd = count > 0 && lastInView >= count - nearEndRows
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list has a new end, though the callback is the same
  useEffect(() => {
    if (isNearEnd) onEnd?.()
  }, [isNearEnd, count])
  return { scroller, virtual }
}
