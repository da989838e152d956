import { statfsSync } from 'node:fs'

/**
 * What is left for PostgreSQL's own needs. Without room for its log it stops altogether and cannot start again either, so
 * people could not even read.
 */
const KEPT_FREE_BYTES = 64 * 1024 ** 2
const LOOK_AT_MOST_EVERY_MS = 200

/** Tells whether the disk of a folder has so little room left that nothing more should be written to it. */
export const watchFreeSpace = (dir: string, now: () => number = () => performance.now()) => {
  let lookedMs = Number.NEGATIVE_INFINITY
  let isShort = false
  return () => {
    if (now() - lookedMs < LOOK_AT_MOST_EVERY_MS) return isShort
    lookedMs = now()
    const { bavail, bsize } = statfsSync(dir)
    isShort = bavail * bsize < KEPT_FREE_BYTES
    return isShort
  }
}
