import { type RefObject, useEffect } from 'react'

interface TypeAheadProps {
  typed: RefObject<string>
  onEscape: () => void
}

/** Collects what is typed before the palette has the focus, which would otherwise be lost or go to the page. */
export function TypeAhead({ typed, onEscape }: TypeAheadProps) {
  useEffect(() => {
    const collect = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (key === 'Escape') return onEscape()
      if (ctrlKey || metaKey || altKey || (key.length > 1 && key !== 'Backspace' && key !== 'Enter')) return
      event.preventDefault()
      event.stopPropagation()
      // Nothing is chosen yet, and what has the focus on the page must not be opened.
      if (key === 'Enter') return
      typed.current = key === 'Backspace' ? typed.current.slice(0, -1) : typed.current + key
    }
    window.addEventListener('keydown', collect, { capture: true })
    return () => window.removeEventListener('keydown', collect, { capture: true })
  }, [typed, onEscape])
  return null
}
