import type { Progress } from '#server/backup/progress.ts'

const EVERY_MS = 2_000

const formatGb = (bytes: number) => (bytes / 1e9).toFixed(2)

/** Prints to standard error every few seconds how far a backup or a restore is; standard output has the result. */
export const createProgress = (verb: string) => {
  let printedMs = performance.now()
  return ({ bytes, totalBytes, tables, totalTables }: Progress) => {
    if (performance.now() - printedMs < EVERY_MS) return
    printedMs = performance.now()
    const volume = `${formatGb(bytes)}${totalBytes === undefined ? '' : ` of ${formatGb(totalBytes)}`} GB`
    const parts = `${tables}${totalTables === undefined ? '' : ` of ${totalTables}`} tables and partitions`
    console.error(`${verb} ${volume} of rows, ${parts}`)
  }
}
