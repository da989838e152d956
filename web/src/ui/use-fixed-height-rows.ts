import { useLayoutEffect, useRef, useState } from 'react'

/** The rows in view of a scrolling list whose rows all have the same height, so that none has to be measured. */
export function useFixedHeightRows<Scroller extends HTMLElement>(count: number, heightPx: number) {
  const scroller = useRef<Scroller>(null)
  const [view, setView] = useState({ first: 0, fitting: 0 })
  const isThere = count > 0
  useLayoutEffect(() => {
    const element = scroller.current
    if (!isThere || !element) return
    const measure = () => {
      const first = Math.floor(element.scrollTop / heightPx)
      const fitting = Math.ceil(element.clientHeight / heightPx) + 1
      setView((last) => (last.first === first && last.fitting === fitting ? last : { first, fitting }))
    }
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [isThere, heightPx])
  const scrollTo = (index: number) => {
    const element = scroller.current
    if (element) element.scrollTop = index * heightPx - (element.clientHeight - heightPx) / 2
  }
  return { scroller, indexes: listRowsInView(count, view), scrollTo }
}

/** Rows rendered beyond both edges, so that scrolling shows them at once. */
const overscanRows = 6

/** The indexes to render of `count` rows when `fitting` of them fit in view, starting at `first`. */
export function listRowsInView(count: number, { first, fitting }: { first: number; fitting: number }) {
  // A list that has just become shorter may still be scrolled beyond its new end.
  const top = Math.max(0, Math.min(first, count - fitting))
  const from = Math.max(0, top - overscanRows)
  const to = Math.min(count, top + fitting + overscanRows)
  return Array.from({ length: to - from }, (_, at) => from + at)
}
