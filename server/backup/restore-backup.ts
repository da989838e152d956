import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { verifyChain } from '../audit/verify.ts'
import { createKysely } from '../platform/database/database.ts'
import { listMigrationNames, migrate } from '../platform/database/migrate.ts'
import type { Secrets } from '../platform/secrets.ts'
import { BackupError } from './backup-error.ts'
import { type StoredFile, writeBrandFiles } from './brand-files.ts'
import { listDoneMigrations, listTables, type Table } from './catalogue.ts'
import { type Frame, type Header, readFrames, type Section, type Trailer } from './file-format.ts'
import { matchesKeyCheck, type Progress } from './write-backup.ts'

export interface Restored {
  header: Header
  rows: number
  /** Those that were not there yet. */
  brandFiles: number
  /** Whether the backup was made with one of the present keys. */
  hasSameKey: boolean
  /** Applied after the rows were restored. */
  migrations: string[]
}

const id = (name: string) => pg.escapeIdentifier(name)

/** Reads the whole file once before changing anything. */
const inspect = async (path: string): Promise<{ header: Header; trailer: Trailer }> => {
  let header: Header | undefined
  let trailer: Trailer | undefined
  for await (const frame of readFrames(path)) {
    if (frame.kind === 'header') header = frame.header
    if (frame.kind === 'trailer') trailer = frame.trailer
  }
  if (!header || !trailer) throw new BackupError('The file is not a whole backup: its beginning is missing.')
  return { header, trailer }
}

const refuseMisfit = async (client: pg.Client, header: Header) => {
  const known = new Set(await listMigrationNames())
  if (header.migrations.some((name) => !known.has(name)))
    throw new BackupError(
      `The backup was made by version ${header.version}, which is newer than this one. Bring the clone to that version, then restore.`,
    )
  const done = await listDoneMigrations(client)
  const { rows } = await client.query("select from pg_tables where schemaname = 'public'")
  if (done.length === 0 && rows.length > 0)
    throw new BackupError('The database holds tables of something else. Restore into an empty one.')
  if (done.some((name) => !header.migrations.includes(name)))
    throw new BackupError(
      'The database was made by a newer version than the backup. Restore into one without tables; it is brought to this version afterwards.',
    )
}

const refuseTenants = async (client: pg.Client) => {
  await client.query('lock table tenants in access exclusive mode')
  const { rows } = await client.query<{ id: string }>('select id from tenants order by id')
  if (rows.length > 0)
    throw new BackupError(
      `The database is not empty: it holds the tenants ${rows.map((row) => row.id).join(', ')}. Restore into an empty one.`,
    )
}

const createPartitions = async (client: pg.Client, { partitions }: Header) => {
  for (const { table, name, from, to } of partitions) {
    const { rows } = await client.query('select to_regclass($1) is not null as is_there', [name])
    if (rows[0]?.is_there) continue
    const bounds = `from (${pg.escapeLiteral(from)}) to (${pg.escapeLiteral(to)})`
    await client.query(`create table ${id(name)} partition of ${id(table)} for values ${bounds}`)
    await client.query(`call protect_tenant_table(${pg.escapeLiteral(name)}::regclass, '')`)
  }
}

/** The rows of one section; the next frame ends the section. */
async function* takeData(frames: AsyncIterator<Frame>, end: (rows: number) => void) {
  for (;;) {
    const { value: frame } = await frames.next()
    if (frame?.kind !== 'data') return end(frame?.kind === 'section end' ? frame.rows : -1)
    yield frame.bytes
  }
}

const restoreSection = async (
  client: pg.Client,
  tables: ReadonlyMap<string, Table>,
  { table, columns }: Section,
  frames: AsyncIterator<Frame>,
) => {
  const known = tables.get(table)
  if (!known || columns.some((column) => !known.columns.includes(column)))
    throw new BackupError(`The backup does not fit this version: it holds columns of ${table} that are unknown here.`)
  let expected = -1
  const stream = client.query(copyFrom(`copy ${id(table)} (${columns.map(id).join(', ')}) from stdin`))
  await pipeline(
    takeData(frames, (rows) => {
      expected = rows
    }),
    stream,
  )
  if (stream.rowCount !== expected)
    throw new BackupError(`Restored ${stream.rowCount} rows of ${table} instead of ${expected}.`)
  return expected
}

const restoreRows = async (client: pg.Client, path: string, onProgress: (progress: Progress) => void) => {
  const tables = new Map((await listTables(client)).map((table) => [table.name, table]))
  let rows = 0
  const files: StoredFile[] = []
  const frames = readFrames(path)
  for (let next = await frames.next(); !next.done; next = await frames.next()) {
    if (next.value.kind === 'section') {
      const restored = await restoreSection(client, tables, next.value.section, frames)
      onProgress({ table: next.value.section.table, rows: restored })
      rows += restored
    } else if (next.value.kind === 'brand file') {
      const { file } = next.value
      files.push({ file, bytes: await buffer(takeData(frames, () => {})) })
    }
  }
  return { rows, files }
}

const refuseBrokenChains = async (client: pg.Client, { tenants }: Header) => {
  const db = createKysely(client)
  for (const tenant of tenants) {
    await client.query(`set local app.tenant_id = ${pg.escapeLiteral(tenant)}; set local app."group" = ''`)
    // The rows may be of an older schema, or sealed with another key.
    const { fault } = await verifyChain(db, tenant, [], { withSeals: false })
    if (fault)
      throw new BackupError(
        `The editing log of ${tenant} was broken when the backup was made: ${fault.problem} Nothing was restored.`,
      )
  }
}

/** One transaction: if anything fails, the database stays empty. */
const fill = async (
  client: pg.Client,
  path: string,
  { header, trailer: { sequences } }: { header: Header; trailer: Trailer },
  onProgress: (progress: Progress) => void,
) => {
  await client.query("set timezone = 'UTC'; begin")
  await refuseTenants(client)
  await createPartitions(client, header)
  const guarded = (await listTables(client)).filter(({ isProtected }) => isProtected).map(({ name }) => name)
  // COPY refuses to write under row-level security, which applies to the owner only because of FORCE.
  for (const name of guarded) await client.query(`alter table ${id(name)} no force row level security`)
  const restored = await restoreRows(client, path, onProgress)
  for (const name of guarded) await client.query(`alter table ${id(name)} force row level security`)
  for (const { table, column, last } of sequences)
    if (last > 0) await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [id(table), column, last])
  await refuseBrokenChains(client, header)
  await client.query('commit')
  return restored
}

interface Options {
  owner: pg.PoolConfig
  runtimeRole: string
  secrets: Secrets
  /** Folder of the tenants' images, to be restored too. */
  brandDir?: string
  onProgress?: (progress: Progress) => void
}

/** Restores a backup into an empty database with the schema of its version, then applies the newer migrations. */
export const restoreBackup = async (
  path: string,
  { owner, runtimeRole, secrets, brandDir, onProgress = () => {} }: Options,
): Promise<Restored> => {
  const contents = await inspect(path)
  const { header } = contents
  const client = new pg.Client(owner)
  client.on('error', () => {})
  await client.connect()
  try {
    await refuseMisfit(client, header)
    await migrate(owner, runtimeRole, header.migrations)
    const { rows, files } = await fill(client, path, contents, onProgress)
    const migrations = await migrate(owner, runtimeRole)
    const brandFiles = brandDir === undefined ? 0 : await writeBrandFiles(brandDir, files)
    return { header, rows, brandFiles, hasSameKey: matchesKeyCheck(secrets, header.keyCheck), migrations }
  } finally {
    await client.end()
  }
}
