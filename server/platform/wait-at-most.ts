import { setTimeout as pause } from 'node:timers/promises'

/** Waits for `ending`, but not longer than this. Returns whether it has ended. */
export const waitAtMost = async (ms: number, ending: Promise<unknown>): Promise<boolean> => {
  const over = new AbortController()
  try {
    return await Promise.race([ending.then(() => true), pause(ms, false, { signal: over.signal })])
  } finally {
    over.abort()
  }
}
