import * as z from 'zod/mini'
import { formatCount, formatCounted, formatDecimal } from '#contract/format/numbers.ts'
import type { Progress } from '#server/backup/progress.ts'

const JobCount = z.string().check(z.regex(/^([1-9]|[12]\d|3[0-2])$/, 'must be a whole number from 1 to 32'))

export const jobsOption = {
  value: 'N',
  help: 'how many tables are done at once (default: the number of cores, at most 8)',
  schema: JobCount,
  isOptional: true,
} as const

const EVERY_MS = 2_000

const formatGb = (bytes: number) => formatDecimal(bytes / 1e9)

/**
 * Prints the progress of a backup or a restore to standard error every few seconds; standard output has the
 * result.
 */
export const createProgress = (verb: string) => {
  let printedMs = performance.now()
  return ({ bytes, totalBytes, tables, totalTables }: Progress) => {
    if (performance.now() - printedMs < EVERY_MS) return
    printedMs = performance.now()
    const volume = `${formatGb(bytes)}${totalBytes === undefined ? '' : ` of ${formatGb(totalBytes)}`} GB`
    const parts = `${formatCount(tables)}${totalTables === undefined ? '' : ` of ${formatCount(totalTables)}`} tables and partitions`
    console.error(`${verb} ${volume} of rows, ${parts}`)
  }
}

/** What a file contains, for the result of a command. */
export const describeContent = (rows: number, brandFiles: number, tenants: number) =>
  `${formatCounted(rows, 'row')} and ${formatCounted(brandFiles, 'brand file')} of ${formatCounted(tenants, 'tenant')}`
