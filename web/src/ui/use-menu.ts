import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at <= 0 ? count : at) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * A button and the menu below it. A click or an arrow key opens it, arrow keys move in it, and Escape, Tab or a click
 * elsewhere closes it.
 */
export function useMenu() {
  const [opened, setOpened] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    if (opened) menu.current?.focus()
  }, [opened])
  const walk = (event: KeyboardEvent) => {
    const items = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const step = steps[event.key]
    if (event.key === 'Tab') setOpened(false)
    if (event.key === 'Escape') {
      setOpened(false)
      button.current?.focus()
    }
    if (!step || items.length === 0) return
    event.preventDefault()
    items[step(items.indexOf(document.activeElement as HTMLElement), items.length)]?.focus()
  }
  return {
    opened,
    close: () => setOpened(false),
    around: {
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setOpened(false)
      },
    },
    button: {
      ref: button,
      'aria-haspopup': 'menu' as const,
      'aria-expanded': opened,
      'aria-controls': opened ? id : undefined,
      onClick: () => setOpened(!opened),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        setOpened(true)
      },
    },
    menu: { ref: menu, id, tabIndex: -1, onKeyDown: walk },
  }
}
