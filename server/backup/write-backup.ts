import { rm } from 'node:fs/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { compareKeys } from '#contract/format/natural-order.ts'
import { isUnavailable } from '../platform/database/errors.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Section } from './archive-format.ts'
import { BackupError } from './backup-error.ts'
import { readBrandFiles } from './brand-files.ts'
import {
  listDoneMigrations,
  listPartitions,
  listSequences,
  listSources,
  listTables,
  type Source,
  TELEMETRY,
} from './catalogue.ts'
import { type Client, connect, countDefaultJobs, quote, quoteAll } from './connect.ts'
import type { Header } from './header.ts'
import { inParallel } from './in-parallel.ts'
import { createProgress, type Progress } from './progress.ts'
import { publishFile } from './publish-file.ts'
import { type Archive, createArchive } from './write-archive.ts'

export interface Written {
  tenants: string[]
  rows: number
  brandFiles: number
}

const computeKeyCheck = (secrets: Secrets) => secrets.digest('key', 'backup').toString('hex')

/** Whether one of these keys made the backup. */
export const matchesKeyCheck = (secrets: Secrets, keyCheck: string) =>
  secrets.matchesDigest(Buffer.from(keyCheck, 'hex'), 'key', 'backup')

interface Options {
  owner: pg.PoolConfig
  secrets: Secrets
  version: string
  now: () => Date
  /** The folder of the tenants' images, to be included. */
  brandDir?: string
  /** Without telemetry, only the charts are empty after a restore. */
  withTelemetry?: boolean
  /** How many tables are read concurrently. */
  jobs?: number
  onProgress?: (progress: Progress) => void
}

const BEGIN = 'begin isolation level repeatable read read only'

/**
 * Exports the snapshot that all connections read. Only partitions are read, not their parent tables, so that new ones can
 * be created meanwhile; the lock delays dropping those past their retention.
 */
const shareSnapshot = async (leader: Client) => {
  await leader.query("select pg_advisory_lock_shared(hashtextextended('dishboard:backup', 0))")
  await leader.query(BEGIN)
  const { rows } = await leader.query<{ id: string }>('select pg_export_snapshot() as id')
  return rows[0]?.id as string
}

const connectReader = async (owner: pg.PoolConfig, snapshot: string) => {
  const reader = await connect(owner)
  await reader.query(BEGIN)
  await reader.query(`set transaction snapshot ${pg.escapeLiteral(snapshot)}`)
  return reader
}

async function* copyOut(
  reader: Client,
  { select, format }: { select: string; format: Section['format'] },
  count: (rows: number) => void,
) {
  const stream = reader.query(copyTo(`copy (${select}) to stdout (format ${format})`))
  yield* stream as AsyncIterable<Buffer>
  count(stream.rowCount)
}

/**
 * Only partitions, which hold numbers and times, are read in binary, and not where the output of several tenants is
 * concatenated, since each binary COPY has its own header and trailer.
 */
const chooseFormat = ({ partition, showsAllTenants }: Source) =>
  partition !== undefined && showsAllTenants ? 'binary' : 'text'

/** The rows of a table or partition. Row-level security applies to the owner too. */
async function* readSource(reader: Client, source: Source, tenants: readonly string[], count: (rows: number) => void) {
  const { table, partition, columns, isProtected, showsAllTenants } = source
  const format = chooseFormat(source)
  const select = `select ${quoteAll(columns)} from ${quote(partition ?? table)}`
  if (!isProtected) yield* copyOut(reader, { select, format }, count)
  else if (showsAllTenants) {
    await reader.query('set local app.all_tenants = on')
    // Fails where the setting has not arrived, such as on another node, instead of reading no rows.
    yield* copyOut(reader, { select: `${select} where current_setting('app.all_tenants')::boolean`, format }, count)
  } else
    for (const tenant of tenants) {
      await reader.query(`set local app.tenant_id = ${pg.escapeLiteral(tenant)}`)
      await reader.query(`set local app."group" = ''`)
      yield* copyOut(reader, { select, format }, count)
    }
}

const writeSource = async (
  archive: Archive,
  { source, reader, tenants }: { source: Source; reader: Client; tenants: readonly string[] },
  onBytes: (bytes: number) => void,
): Promise<Section> => {
  const { table, partition, columns } = source
  let rows = 0
  const count = (more: number) => {
    rows += more
  }
  const chunks = await archive.writeChunks(readSource(reader, source, tenants, count), onBytes)
  const format = chooseFormat(source)
  return { table, ...(partition !== undefined && { partition }), columns, format, rows, chunks }
}

const writeBrandFiles = async (archive: Archive, brandDir: string | undefined, tenants: readonly string[]) => {
  const files = []
  for await (const { file, bytes } of brandDir === undefined ? [] : readBrandFiles(brandDir, tenants))
    files.push({
      ...file,
      chunks: await archive.writeChunks(
        (async function* () {
          yield bytes
        })(),
      ),
    })
  return files
}

const readHeader = async (
  leader: Client,
  { secrets, version, now, withTelemetry = true }: Options,
): Promise<Header> => {
  const migrations = await listDoneMigrations(leader)
  if (migrations.length === 0)
    throw new BackupError('There is nothing to back up: the database holds no Dishboard tables.')
  const { rows } = await leader.query<{ id: string }>('select id from tenants order by id')
  return {
    product: 'dishboard',
    format: 3,
    version,
    madeAt: now().toISOString(),
    keyCheck: computeKeyCheck(secrets),
    migrations,
    tenants: rows.map(({ id }) => id),
    partitions: await listPartitions(leader),
    hasTelemetry: withTelemetry,
  }
}

/** Writes every tenant's rows from one snapshot, over several connections. */
const writeRows = async (archive: Archive, clients: Client[], options: Options): Promise<Written> => {
  const { owner, brandDir, withTelemetry = true, jobs = countDefaultJobs(), onProgress = () => {} } = options
  const leader = await connect(owner)
  clients.push(leader)
  const snapshot = await shareSnapshot(leader)
  const header = await readHeader(leader, options)
  const files = await writeBrandFiles(archive, brandDir, header.tenants)
  const tables = (await listTables(leader)).filter(({ name }) => withTelemetry || !TELEMETRY.includes(name))
  const sources = await listSources(leader, tables)
  const readers = await Promise.all(
    sources.slice(0, jobs).map(async () => {
      const reader = await connectReader(owner, snapshot)
      clients.push(reader)
      return reader
    }),
  )
  const progress = createProgress({ totalTables: sources.length }, onProgress)
  const sections: Section[] = []
  const { tenants } = header
  await inParallel(
    readers,
    sources,
    async (reader, source) => {
      sections.push(await writeSource(archive, { source, reader, tenants }, progress.addBytes))
      progress.endTable()
    },
    () => {
      for (const reader of readers) void reader.end()
    },
  )
  const places = new Map(tables.map(({ name }, place) => [name, place]))
  const getPlace = ({ table }: Section) => places.get(table) as number
  sections.sort((a, b) => getPlace(a) - getPlace(b) || compareKeys(a.partition ?? '', b.partition ?? ''))
  await archive.finish({ header, sections, files, sequences: await listSequences(leader) })
  return { tenants, rows: sections.reduce((sum, { rows }) => sum + rows, 0), brandFiles: files.length }
}

const toBackupError = (path: string, error: unknown) => {
  const { code, syscall, path: file, message } = error as NodeJS.ErrnoException
  if (file === undefined && isUnavailable(error as Error))
    return new BackupError(`The database failed during the backup, so no file was written: ${message}`)
  if (code === 'EEXIST') return new BackupError(`${path} exists already. Choose another name.`)
  return syscall === undefined ? error : new BackupError(`${path} cannot be written: ${message}`)
}

/** Refuses the file of another backup, which may still be written. */
const createPart = async (path: string, part: string) => {
  try {
    return await createArchive(part)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toBackupError(path, error)
    throw new BackupError(
      `${part} exists: another backup is being written, or one was interrupted. Wait, delete it, or choose another name.`,
    )
  }
}

/** Writes every tenant's rows to one new file. It gets its name only when complete, and only its owner can read it. */
export const writeBackup = async (path: string, options: Options): Promise<Written> => {
  const part = `${path}.part`
  const archive = await createPart(path, part)
  const clients: Client[] = []
  try {
    const written = await writeRows(archive, clients, options).finally(() => archive.close())
    await publishFile(part, path)
    return written
  } catch (error) {
    throw toBackupError(path, error)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
    await rm(part, { force: true })
  }
}
