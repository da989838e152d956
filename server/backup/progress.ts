/** The progress of a backup or restore. */
export interface Progress {
  /** Uncompressed bytes of rows. */
  bytes: number
  /** If known. */
  totalBytes?: number
  /** Finished tables and partitions. */
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
