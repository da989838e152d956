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

/** Nothing but true and false counts, whatever somebody wrote there. */
export function readDark(kept: string | null): boolean | undefined {
  try {
    const value: unknown = JSON.parse(kept ?? 'null')
    return typeof value === 'boolean' ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether the map is dark: as was chosen here or in another tab, else as the page is. */
export function useMapDark() {
  const scheme = useComputedColorScheme('light')
  const kept = useSyncExternalStore(listen, () => localStorage.getItem(key))
  const isDark = readDark(kept) ?? scheme === 'dark'
  const toggle = () => {
    localStorage.setItem(key, JSON.stringify(!isDark))
    for (const listener of listeners) listener()
  }
  return { isDark, toggle }
}
