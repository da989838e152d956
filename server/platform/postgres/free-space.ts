import { statfsSync } from 'node:fs'

/** Reserved for PostgreSQL itself. Without space for its log it stops and cannot restart, and then even reads fail. */
const RESERVED_BYTES = 64 * 1024 ** 2
const CHECK_INTERVAL_MS = 200

/** Returns a function that reports whether the disk of a folder has too little space left to write to it. */
export const watchFreeSpace = (dir: string, now: () => number = () => performance.now()) => {
  let checkedMs = Number.NEGATIVE_INFINITY
  let isShort = false
  return () => {
    if (now() - checkedMs < CHECK_INTERVAL_MS) return isShort
    checkedMs = now()
    const { bavail, bsize } = statfsSync(dir)
    isShort = bavail * bsize < RESERVED_BYTES
    return isShort
  }
}
