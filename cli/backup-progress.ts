import { formatCount } from '#contract/format/numbers.ts'
import type { Progress } from '#server/backup/write-backup.ts'

const EVERY_MS = 2_000

/** Prints to standard error every few seconds how far a backup or a restore is; standard output has the result. */
export const createProgress = (verb: string) => {
  let printedMs = performance.now()
  return ({ table, rows }: Progress) => {
    if (performance.now() - printedMs < EVERY_MS) return
    printedMs = performance.now()
    console.error(`${verb} ${formatCount(rows)} rows of ${table}`)
  }
}
