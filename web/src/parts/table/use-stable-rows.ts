import { type PointerEvent, useMemo, useRef, useState } from 'react'
import { applyStableOrder } from './stable-order.ts'

/**
 * Rows whose order holds still while a mouse is over them and until `arrangement` changes, which is what the person asked
 * for: another sort, filter or search counts at once.
 */
export function useStableRows<Row>(rows: readonly Row[] | undefined, keyOf: (row: Row) => string, arrangement: string) {
  const [isOver, setIsOver] = useState(false)
  const shown = useRef<{ rows: readonly Row[]; arrangement: string }>(undefined)
  const steady = useMemo(() => {
    const before = shown.current
    const holds = isOver && before?.arrangement === arrangement
    const next = rows && holds ? applyStableOrder(before.rows, rows, keyOf) : rows
    shown.current = next && { rows: next, arrangement }
    return next
  }, [rows, keyOf, arrangement, isOver])
  const over = {
    onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && setIsOver(true),
    onPointerLeave: () => setIsOver(false),
  }
  return { rows: steady, over }
}
