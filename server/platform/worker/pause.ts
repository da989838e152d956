import { setTimeout as sleep } from 'node:timers/promises'

/** Waits; ends early, without an error, when the signal is aborted. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
}

/** Grows with each failure in a row, up to `longestMs`. */
export const backoffMs = (failures: number, firstMs: number, longestMs: number) =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20))

/** Spreads out retries that would otherwise happen at the same moment. */
export const withJitter = (ms: number) => Math.ceil(ms * (0.8 + Math.random() * 0.4))

/** Lets one loop wake another. A wake without a waiter ends the next wait immediately. */
export const createWake = () => {
  let woken = false
  let resolve: (() => void) | undefined
  return {
    wake: () => {
      woken = true
      resolve?.()
    },
    wait: async (longestMs: number, signal: AbortSignal) => {
      if (!woken && !signal.aborted) {
        const stop = new AbortController()
        const called = new Promise<void>((done) => {
          resolve = done
        })
        await Promise.race([called, pause(longestMs, AbortSignal.any([signal, stop.signal]))])
        stop.abort()
        resolve = undefined
      }
      woken = false
    },
  }
}
