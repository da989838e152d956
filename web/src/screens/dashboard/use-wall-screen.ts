import { useEffect } from 'react'

const attribute = 'data-mantine-color-scheme'

/** Dark while the wall is shown, whatever the user prefers elsewhere. */
export function useDarkScreen(isDark: boolean) {
  useEffect(() => {
    if (!isDark) return
    const root = document.documentElement
    const before = root.getAttribute(attribute)
    root.setAttribute(attribute, 'dark')
    return () => {
      if (before !== null) root.setAttribute(attribute, before)
    }
  }, [isDark])
}

/**
 * Prevents the screen from sleeping while the wall is visible. Browsers release the lock when it is hidden.
 */
export function useWakeLock() {
  useEffect(() => {
    const stop = new AbortController()
    let lock: WakeLockSentinel | undefined
    const acquire = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      lock = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (stop.signal.aborted) await lock?.release()
    }
    void acquire()
    document.addEventListener('visibilitychange', () => void acquire(), { signal: stop.signal })
    return () => {
      stop.abort()
      void lock?.release()
    }
  }, [])
}
