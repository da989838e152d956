import { setTimeout as pause } from 'node:timers/promises'

const LOOK_EVERY_MS = 100

/** Seconds until the condition is true, or NaN on a timeout. */
export const secondsUntil = async (isSo: () => Promise<boolean>, withinS: number) => {
  const begin = performance.now()
  for (;;) {
    if (await isSo()) return (performance.now() - begin) / 1000
    if (performance.now() - begin > withinS * 1000) return Number.NaN
    await pause(LOOK_EVERY_MS)
  }
}
