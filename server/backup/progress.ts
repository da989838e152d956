/** How far a backup or restore is. */
export interface Progress {
  /** Of rows, not compressed. */
  bytes: number
  /** Where it is known. */
  totalBytes?: number
  /** Tables and partitions that are done. */
  tables: number
  totalTables?: number
}

export const createProgress = (
  total: Pick<Progress, 'totalBytes' | 'totalTables'>,
  onProgress: (progress: Progress) => void,
) => {
  let bytes = 0
  let tables = 0
  return {
    addBytes: (more: number) => {
      bytes += more
      onProgress({ ...total, bytes, tables })
    },
    endTable: () => {
      tables++
      onProgress({ ...total, bytes, tables })
    },
  }
}

export type ProgressCounter = ReturnType<typeof createProgress>
