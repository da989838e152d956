import { open } from 'node:fs/promises'
import { BackupError } from './backup-error.ts'
import type { StoredFile } from './brand-files.ts'
import { openFrames } from './frame-format.ts'
import type { Header, Sequences } from './header.ts'
import { openArchive } from './read-archive.ts'
import { damaged } from './seal.ts'

/** The rows of a table or of one of its partitions, as PostgreSQL's COPY writes them. */
export interface SectionReader {
  table: string
  partition?: string | undefined
  columns: string[]
  format: 'text' | 'binary'
  /** If the format records it. */
  rawBytes?: number
  read: () => AsyncIterable<Buffer>
  /** How many rows it should have; in older formats known only after reading them. */
  countRows: () => number
}

/** A backup whose checksums match. */
export interface BackupFile {
  header: Header
  sequences: Sequences
  /** Can be read in any order and concurrently. Older formats have these rows in the sections of their tables. */
  partitions: SectionReader[]
  /** Everything else, referenced tables first. Each must be read before the next is requested. */
  readSections: () => AsyncGenerator<SectionReader>
  readFiles: () => Promise<StoredFile[]>
  /** If the format records it. */
  total: { totalBytes?: number; totalTables?: number }
  close: () => Promise<void>
}

/** All rows of a backup, section by section. */
export async function* listSections({ partitions, readSections }: BackupFile): AsyncGenerator<SectionReader> {
  yield* readSections()
  yield* partitions
}

/** Verifies the checksums of a whole file and opens it, in any format. */
export const openBackup = async (path: string): Promise<BackupFile> => {
  try {
    const file = await open(path)
    const archive = await openArchive(file).catch(async (error) => {
      await file.close()
      throw error
    })
    if (archive) return archive
    await file.close()
    return await openFrames(path)
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (error instanceof BackupError) throw error
    if (syscall !== undefined) throw new BackupError(`${path} cannot be read: ${message}`)
    throw damaged('it holds something else')
  }
}
