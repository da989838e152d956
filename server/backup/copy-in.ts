import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { BackupError } from './backup-error.ts'
import type { SectionReader } from './backup-file.ts'
import { type Client, quoteAll } from './connect.ts'

interface Target {
  /** Quoted. */
  relation: string
  section: SectionReader
  options?: string[]
}

/** Loads the rows of a section and checks their number. */
export const copyIn = async (
  client: Client,
  { relation, section, options = [] }: Target,
  onBytes: (bytes: number) => void,
) => {
  const settings = [`format ${section.format}`, ...options].join(', ')
  const stream = client.query(copyFrom(`copy ${relation} (${quoteAll(section.columns)}) from stdin (${settings})`))
  await pipeline(async function* () {
    for await (const bytes of section.read()) {
      onBytes(bytes.length)
      yield bytes
    }
  }, stream)
  const expected = section.countRows()
  if (stream.rowCount !== expected)
    throw new BackupError(`Restored ${stream.rowCount} rows of ${section.table} instead of ${expected}.`)
  return expected
}
