import { useLayoutEffect, useRef, useState } from 'react'
import { rowsInView } from './rows-in-view.ts'

/** The rows in view of a list that scrolls by itself and whose rows are all of one height: none has to be measured. */
export function useFixedHeightRows<Scroller extends HTMLElement>(count: number, heightPx: number) {
  const scroller = useRef<Scroller>(null)
  const [view, setView] = useState({ first: 0, fitting: 0 })
  const isThere = count > 0
  useLayoutEffect(() => {
    const element = scroller.current
    if (!isThere || !element) return
    const look = () => {
      const first = Math.floor(element.scrollTop / heightPx)
      const fitting = Math.ceil(element.clientHeight / heightPx) + 1
      setView((last) => (last.first === first && last.fitting === fitting ? last : { first, fitting }))
    }
    const resized = new ResizeObserver(look)
    resized.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    look()
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [isThere, heightPx])
  const scrollTo = (index: number) => {
    const element = scroller.current
    if (element) element.scrollTop = index * heightPx - (element.clientHeight - heightPx) / 2
  }
  return { scroller, indexes: rowsInView(count, view), scrollTo }
}
