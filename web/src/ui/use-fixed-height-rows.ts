import { useLayoutEffect, useRef, useState } from 'react'
import { onScroll } from './on-scroll.ts'

/**
 * The rows in view of a list whose rows all have the same height, so that none has to be measured. Either the list or the
 * page scrolls.
 */
export function useFixedHeightRows<Scroller extends HTMLElement>(count: number, heightPx: number) {
  const scroller = useRef<Scroller>(null)
  const [view, setView] = useState({ first: 0, fitting: 0 })
  const isThere = count > 0
  useLayoutEffect(() => {
    const element = scroller.current
    if (!isThere || !element) return
    const measure = () => {
      const hiddenPx = element.scrollTop + Math.max(0, -element.getBoundingClientRect().top)
      const first = Math.floor(hiddenPx / heightPx)
      const fitting = Math.ceil(Math.min(element.clientHeight, window.innerHeight) / heightPx) + 1
      setView((last) => (last.first === first && last.fitting === fitting ? last : { first, fitting }))
    }
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    const stop = onScroll(measure)
    measure()
    return () => {
      resized.disconnect()
      stop()
    }
  }, [isThere, heightPx])
  const scrollTo = (index: number) => {
    const element = scroller.current
    if (!element) return
    const isBox = element.scrollHeight > element.clientHeight
    const heightInViewPx = isBox ? element.clientHeight : window.innerHeight
    const top = index * heightPx - (heightInViewPx - heightPx) / 2
    if (isBox) element.scrollTop = top
    else window.scrollTo({ top: element.getBoundingClientRect().top + window.scrollY + top })
  }
  return { scroller, indexes: listRowsInView(count, view), scrollTo }
}

/** Rows rendered beyond both edges, so that scrolling shows them at once. */
const overscanRows = 6

/** The indexes to render of `count` rows when `fitting` of them fit in view, starting at `first`. */
export function listRowsInView(count: number, { first, fitting }: { first: number; fitting: number }) {
  // A list that has just become shorter may still be scrolled beyond its end.
  const top = Math.max(0, Math.min(first, count - fitting))
  const from = Math.max(0, top - overscanRows)
  const to = Math.min(count, top + fitting + overscanRows)
  return Array.from({ length: to - from }, (_, at) => from + at)
}
