import { createWriteStream } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Secrets } from '../platform/secrets.ts'
import { BackupError } from './backup-error.ts'
import { readBrandFiles } from './brand-files.ts'
import { listDoneMigrations, listPartitions, listSequences, listTables, type Table, TELEMETRY } from './catalogue.ts'
import { frames } from './file-format.ts'
import { createSeal } from './seal.ts'

export interface Written {
  tenants: string[]
  rows: number
  brandFiles: number
}

/** A table that is being read or loaded, and how many rows of it are done. */
export interface Progress {
  table: string
  rows: number
}

const computeKeyCheck = (secrets: Secrets) => secrets.digest('key', 'backup').toString('hex')

/** Whether one of these keys made the backup. */
export const matchesKeyCheck = (secrets: Secrets, keyCheck: string) =>
  secrets.matchesDigest(Buffer.from(keyCheck, 'hex'), 'key', 'backup')

const quoted = (names: readonly string[]) => names.map((name) => pg.escapeIdentifier(name)).join(', ')

interface Options {
  owner: pg.PoolConfig
  secrets: Secrets
  version: string
  now: () => Date
  /** Folder of the tenants' images, to be included. */
  brandDir?: string
  /** Without it, charts are empty after a restore, and everything else is there. */
  withTelemetry?: boolean
  onProgress?: (progress: Progress) => void
}

/**
 * The rows of every tenant at one moment. Row-level security applies to the owner too, so each table is read tenant by
 * tenant in one transaction. It takes no lock that affects a running server.
 */
async function* readRows(
  client: pg.Client,
  { secrets, version, now, brandDir, withTelemetry = true, onProgress = () => {} }: Options,
  written: Written,
) {
  const { rows } = await client.query<{ id: string }>('select id from tenants order by id')
  written.tenants = rows.map(({ id }) => id)
  yield frames.header({
    product: 'dishboard',
    format: 2,
    version,
    madeAt: now().toISOString(),
    keyCheck: computeKeyCheck(secrets),
    migrations: await listDoneMigrations(client),
    tenants: written.tenants,
    partitions: await listPartitions(client),
    hasTelemetry: withTelemetry,
  })
  for await (const { file, bytes } of brandDir === undefined ? [] : readBrandFiles(brandDir, written.tenants)) {
    yield frames.brandFile(file)
    yield* frames.data(bytes)
    yield frames.sectionEnd(0)
    written.brandFiles++
  }
  async function* copy({ name, columns }: Table) {
    const stream = client.query(copyTo(`copy (select ${quoted(columns)} from ${quoted([name])}) to stdout`))
    for await (const chunk of stream) yield* frames.data(chunk)
    written.rows += stream.rowCount
    return stream.rowCount
  }
  const isWanted = ({ name }: Table) => withTelemetry || !TELEMETRY.includes(name)
  for (const table of (await listTables(client)).filter(isWanted)) {
    yield frames.section({ table: table.name, columns: table.columns })
    let rowCount = 0
    if (!table.isProtected) rowCount = yield* copy(table)
    else
      for (const tenant of written.tenants) {
        await client.query(`set local app.tenant_id = ${pg.escapeLiteral(tenant)}; set local app."group" = ''`)
        rowCount += yield* copy(table)
        onProgress({ table: table.name, rows: rowCount })
      }
    yield frames.sectionEnd(rowCount)
  }
  yield frames.trailer({ rows: written.rows, sequences: await listSequences(client) })
}

/** Writes every tenant's rows to one new file. It gets its name only when complete, and only its owner can read it. */
export const writeBackup = async (path: string, options: Options): Promise<Written> => {
  const part = `${path}.part`
  const client = new pg.Client(options.owner)
  client.on('error', () => {})
  await client.connect()
  const written: Written = { tenants: [], rows: 0, brandFiles: 0 }
  try {
    await client.query("set timezone = 'UTC'; begin isolation level repeatable read read only")
    if ((await listDoneMigrations(client)).length === 0)
      throw new BackupError('There is nothing to back up: the database holds no Dishboard tables.')
    await pipeline(
      readRows(client, options, written),
      createZstdCompress(),
      createSeal(),
      createWriteStream(part, { flags: 'w', mode: 0o600, flush: true }),
    )
    await client.query('commit')
    // Unlike a rename, a link never replaces an existing file.
    await link(part, path)
    return written
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new BackupError(`${path} exists already. Choose another name.`)
    throw syscall === undefined ? error : new BackupError(`${path} cannot be written: ${message}`)
  } finally {
    await client.end()
    await rm(part, { force: true })
  }
}
