import { useEffect } from 'react'
import type { MapScheme } from '../../parts/map/base-layer.ts'

const attribute = 'data-mantine-color-scheme'

/** The color scheme while the wall is shown, whatever the user prefers elsewhere. */
export function useScreenScheme(scheme: MapScheme) {
  useEffect(() => {
    const root = document.documentElement
    let preferred: string | null = null
    const apply = () => {
      const current = root.getAttribute(attribute)
      if (current === scheme) return
      preferred = current
      root.setAttribute(attribute, scheme)
    }
    apply()
    // The preferred scheme may change meanwhile: at sunset, or in another tab.
    const observer = new MutationObserver(apply)
    observer.observe(root, { attributeFilter: [attribute] })
    return () => {
      observer.disconnect()
      if (preferred !== null) root.setAttribute(attribute, preferred)
    }
  }, [scheme])
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
