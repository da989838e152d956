import { useComputedColorScheme } from '@mantine/core'
import { useSyncExternalStore } from 'react'

const key = 'darkMode'

const listeners = new Set<() => void>()

function listen(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Accepts true and false only. */
export function readDark(stored: string | null): boolean | undefined {
  try {
    const value: unknown = JSON.parse(stored ?? 'null')
    return typeof value === 'boolean' ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether the map is dark: the user's choice in any tab, or else the scheme of the page. */
export function useMapDark() {
  const scheme = useComputedColorScheme('light')
  const stored = useSyncExternalStore(listen, () => localStorage.getItem(key))
  const isDark = readDark(stored) ?? scheme === 'dark'
  const toggle = () => {
    localStorage.setItem(key, JSON.stringify(!isDark))
    for (const listener of listeners) listener()
  }
  return { isDark, toggle }
}
