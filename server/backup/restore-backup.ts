import pg from 'pg'
import { verifyChain } from '../audit/verify.ts'
import { createKysely } from '../platform/database/database.ts'
import { isUnavailable } from '../platform/database/errors.ts'
import { listMigrationNames, migrate } from '../platform/database/migrate.ts'
import type { Secrets } from '../platform/secrets.ts'
import { BackupError } from './backup-error.ts'
import { type BackupFile, openBackup } from './backup-file.ts'
import { writeBrandFiles } from './brand-files.ts'
import { listDoneMigrations, listTables, type Table } from './catalogue.ts'
import { type Client, connect, countDefaultJobs, quote } from './connect.ts'
import { copyIn } from './copy-in.ts'
import type { Header } from './header.ts'
import { inParallel } from './in-parallel.ts'
import { createProgress, type Progress, type ProgressCounter } from './progress.ts'
import {
  attachStaged,
  createPartitions,
  createStage,
  dropStaged,
  listParents,
  stagePartition,
} from './stage-partitions.ts'
import { matchesKeyCheck } from './write-backup.ts'

export interface Restored {
  header: Header
  rows: number
  /** Those that did not exist yet. */
  brandFiles: number
  /** Whether the backup was made with one of the current keys. */
  hasSameKey: boolean
  /** Applied after the rows were restored. */
  migrations: string[]
}

/** A database without the function has no tables, or a version that could not distribute them. */
const isDistributed = async (client: Client) => {
  const { rows } = await client.query("select to_regprocedure('is_distributed(regclass)') is not null as is_known")
  if (!rows[0]?.is_known) return false
  const samples = await client.query("select is_distributed('samples') as yes")
  return samples.rows[0]?.yes === true
}

const refuseMisfit = async (client: Client, header: Header) => {
  const known = new Set(await listMigrationNames())
  if (header.migrations.some((name) => !known.has(name)))
    throw new BackupError(
      `The backup was made by version ${header.version}, which is newer than this one. Bring the clone to that version, then restore.`,
    )
  if (await isDistributed(client))
    throw new BackupError(
      'The database is distributed. Restore into an empty one that is not, then run: npm run dishboard -- distribute',
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

const refuseTenants = async (client: Client) => {
  await client.query('lock table tenants in access exclusive mode')
  const { rows } = await client.query<{ id: string }>('select id from tenants order by id')
  if (rows.length > 0)
    throw new BackupError(
      `The database is not empty: it holds the tenants ${rows.map((row) => row.id).join(', ')}. Restore into an empty one.`,
    )
}

/** The unpartitioned tables, and all rows of older file formats. */
const restoreSections = async (client: Client, { readSections }: BackupFile, progress: ProgressCounter) => {
  const tables = new Map((await listTables(client)).map((table) => [table.name, table]))
  let rows = 0
  for await (const section of readSections()) {
    const known = tables.get(section.table)
    if (!known || section.columns.some((column) => !known.columns.includes(column)))
      throw new BackupError(
        `The backup does not fit this version: it holds columns of ${section.table} that are unknown here.`,
      )
    rows += await copyIn(client, { relation: quote(section.table), section }, progress.addBytes)
    progress.endTable()
  }
  return rows
}

const refuseBrokenChains = async (client: Client, { tenants }: Header) => {
  const db = createKysely(client)
  for (const tenant of tenants) {
    await client.query(`set local app.tenant_id = ${pg.escapeLiteral(tenant)}; set local app."group" = ''`)
    // The rows may have an older schema, or be sealed with another key.
    const { fault } = await verifyChain(db, tenant, [], { withSeals: false })
    if (fault)
      throw new BackupError(
        `The editing log of ${tenant} was broken when the backup was made: ${fault.problem} Nothing was restored.`,
      )
  }
}

/** The rows that are left for the main transaction. */
const restoreRest = async (client: Client, backup: BackupFile, progress: ProgressCounter) => {
  const hasStaged = backup.partitions.length > 0
  // Neither this nor the next step may lock a partitioned table while other connections load its partitions.
  if (!hasStaged) await createPartitions(client, backup.header.partitions)
  const isLoadedHere = ({ isProtected, isPartitioned }: Table) => isProtected && !(isPartitioned && hasStaged)
  const guarded = (await listTables(client)).filter(isLoadedHere).map(({ name }) => name)
  // COPY refuses to write under row-level security, which applies to the owner only because of FORCE. Triggers would record
  // the rows as current changes, in addition to the changes that the backup contains.
  for (const name of guarded)
    await client.query(`alter table ${quote(name)} no force row level security, disable trigger user`)
  const rows = await restoreSections(client, backup, progress)
  // A table cannot be altered while deferred checks of its rows are pending.
  await client.query('set constraints all immediate')
  for (const name of guarded)
    await client.query(`alter table ${quote(name)} force row level security, enable trigger user`)
  return rows
}

const stagePartitions = async (
  workers: readonly Client[],
  { header, partitions }: BackupFile,
  { progress, abort }: { progress: ProgressCounter; abort: () => void },
) => {
  const [first] = workers
  if (!first) return
  await createStage(first)
  const parents = await listParents(first)
  const byName = new Map(header.partitions.map((partition) => [partition.name, partition]))
  const largestFirst = [...partitions].sort((a, b) => (b.rawBytes ?? 0) - (a.rawBytes ?? 0))
  await inParallel(
    workers,
    largestFirst,
    async (worker, section) => {
      const partition = byName.get(section.partition as string)
      if (partition?.table !== section.table)
        throw new BackupError('The backup does not fit its own list of partitions.')
      await stagePartition(worker, { partition, section, parents }, progress.addBytes)
      progress.endTable()
    },
    abort,
  )
}

interface Filling {
  progress: ProgressCounter
  brandDir: string | undefined
}

/**
 * Several connections load rows, and one transaction makes them visible: if anything fails, the database stays empty. The
 * images are written before it commits: after a crash in between, restoring again finds them.
 */
const fill = async (
  client: Client,
  workers: readonly Client[],
  backup: BackupFile,
  { progress, brandDir }: Filling,
) => {
  const { header, partitions, sequences } = backup
  await client.query('begin')
  await refuseTenants(client)
  const abort = () => {
    for (const each of [client, ...workers]) void each.end()
  }
  const results = await Promise.allSettled([
    stagePartitions(workers, backup, { progress, abort }),
    restoreRest(client, backup, progress).catch((error) => {
      abort()
      throw error
    }),
  ])
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
  const staged = new Set(partitions.map(({ partition }) => partition))
  await attachStaged(
    client,
    header.partitions.filter(({ name }) => staged.has(name)),
  )
  await createPartitions(client, header.partitions)
  for (const { table, column, last } of sequences)
    if (last > 0) await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [quote(table), column, last])
  await refuseBrokenChains(client, header)
  const brandFiles = brandDir === undefined ? 0 : await writeBrandFiles(brandDir, await backup.readFiles())
  await client.query('commit')
  const rest = results[1] as PromiseFulfilledResult<number>
  return { rows: rest.value + partitions.reduce((sum, section) => sum + section.countRows(), 0), brandFiles }
}

interface Options {
  owner: pg.PoolConfig
  runtimeRole: string
  secrets: Secrets
  /** The folder of the tenants' images, to be restored too. */
  brandDir?: string
  /** How many partitions are loaded concurrently. */
  jobs?: number
  onProgress?: (progress: Progress) => void
}

/** Restores a backup into an empty database with the schema of its version, then applies the newer migrations. */
export const restoreBackup = async (
  path: string,
  { owner, runtimeRole, secrets, brandDir, jobs = countDefaultJobs(), onProgress = () => {} }: Options,
): Promise<Restored> => {
  const backup = await openBackup(path)
  const { header, partitions } = backup
  const clients: Client[] = []
  const connectOne = async () => {
    const client = await connect(owner)
    clients.push(client)
    return client
  }
  try {
    const client = await connectOne()
    await refuseMisfit(client, header)
    await migrate(owner, runtimeRole, header.migrations)
    const workers = await Promise.all(partitions.slice(0, jobs).map(connectOne))
    const progress = createProgress(backup.total, onProgress)
    const { rows, brandFiles } = await fill(client, workers, backup, { progress, brandDir }).catch(async (error) => {
      // Their transactions lock what is dropped.
      await Promise.all(clients.map((each) => each.end()))
      const rest = async () => dropStaged(await connectOne())
      await rest().catch(() => {})
      if (!isUnavailable(error)) throw error
      throw new BackupError(
        `The database failed during the restore, which is completed or undone as a whole: ${error.message}. Restore again when it is back.`,
      )
    })
    const migrations = await migrate(owner, runtimeRole)
    return { header, rows, brandFiles, hasSameKey: matchesKeyCheck(secrets, header.keyCheck), migrations }
  } finally {
    await Promise.all([...clients.map((client) => client.end()), backup.close()])
  }
}
