import { type Rect, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef } from 'react'
import type { DataTableProps } from './data-table.ts'
import { onScroll } from './on-scroll.ts'

const nearEndRows = 20

type Rows<Row> = Pick<DataTableProps<Row>, 'rows' | 'rowKey' | 'onEnd'>

/** The rows in view of a scrolling box. Calls `onEnd` near its end. */
export function useVirtualRows<Scroller extends HTMLElement, Row>(props: Rows<Row>, heightPx: number) {
  const scroller = useRef<Scroller>(null)
  const virtual = useVirtualizer({
    ...useRowOptions(props, heightPx),
    getScrollElement: () => scroller.current,
  })
  useEnd(virtual, props)
  return { scroller, virtual }
}

/** The cards in view of a list that scrolls with the page or the dialog around it. */
export function useCardsInView<Row>(props: Rows<Row>, heightPx: number) {
  const list = useRef<HTMLUListElement>(null)
  const virtual = useVirtualizer<HTMLUListElement, HTMLLIElement>({
    ...useRowOptions(props, heightPx),
    getScrollElement: () => list.current,
    observeElementRect: observeWindowSize,
    observeElementOffset: observeHiddenHeight,
    // Cards are never scrolled to.
    scrollToFn: () => undefined,
  })
  useEnd(virtual, props)
  return { list, virtual }
}

function useRowOptions<Row>({ rows, rowKey }: Rows<Row>, heightPx: number) {
  // Memoized, because a new function would make the list measure all its rows again.
  const getItemKey = useCallback(
    (index: number) => (rows?.[index] === undefined ? index : rowKey(rows[index])),
    [rows, rowKey],
  )
  return { count: rows?.length ?? 0, estimateSize: () => heightPx, getItemKey, overscan: 8 }
}

function useEnd<Row, List extends Element, Item extends Element>(
  virtual: Virtualizer<List, Item>,
  { rows, onEnd }: Rows<Row>,
) {
  const count = rows?.length ?? 0
  const lastInView = virtual.getVirtualItems().at(-1)?.index ?? -1
  const isNearEnd = count > 0 && lastInView >= count - nearEndRows
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list has a new end, though the callback is the same
  useEffect(() => {
    if (isNearEnd) onEnd?.()
  }, [isNearEnd, count])
}

function observeWindowSize(_: unknown, report: (size: Rect) => void) {
  const measure = () => report({ width: window.innerWidth, height: window.innerHeight })
  measure()
  window.addEventListener('resize', measure)
  return () => window.removeEventListener('resize', measure)
}

/** The height of the part of the list above the window. */
function observeHiddenHeight(
  { scrollElement }: Virtualizer<HTMLUListElement, HTMLLIElement>,
  report: (offset: number, isScrolling: boolean) => void,
) {
  const measure = () => report(Math.max(0, -(scrollElement?.getBoundingClientRect().top ?? 0)), false)
  measure()
  return onScroll(measure)
}
