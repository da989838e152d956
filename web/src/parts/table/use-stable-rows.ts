import { type PointerEvent, useMemo, useRef, useState } from 'react'
import { applyStableOrder } from './stable-order.ts'

/**
 * Rows whose order does not change while the mouse is over them. A change of `arrangement` (sort, filter, search) applies
 * at once, because the user requested it.
 */
export function useStableRows<Row>(
  rows: readonly Row[] | undefined,
  getKey: (row: Row) => string,
  arrangement: string,
) {
  const [isOver, setIsOver] = useState(false)
  const shown = useRef<{ rows: readonly Row[]; arrangement: string }>(undefined)
  const stable = useMemo(() => {
    const before = shown.current
    const isFrozen = isOver && before?.arrangement === arrangement
    const next = rows && isFrozen ? applyStableOrder(before.rows, rows, getKey) : rows
    shown.current = next && { rows: next, arrangement }
    return next
  }, [rows, getKey, arrangement, isOver])
  const over = {
    onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && setIsOver(true),
    onPointerLeave: () => setIsOver(false),
  }
  return { rows: stable, over }
}
