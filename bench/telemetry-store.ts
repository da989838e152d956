import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '#server/platform/database/migrate.ts'
import { embeddedRuntimeRole, prepareCluster } from '#server/platform/database/roles.ts'
import type { Settings } from '#server/platform/postgres/settings.ts'
import { startPostgres } from '#server/platform/postgres/start-postgres.ts'
import type { Connections } from './database.ts'
import { fillStore } from './fill-store.ts'

const FOLDER = join(import.meta.dirname, '..', '.bench')
const DATA_DIR = join(FOLDER, 'telemetry')
const MANIFEST = join(FOLDER, 'telemetry.json')

/** Sixty days of 10,000 terminals up to `nowMs`. */
export interface TelemetryStore extends Connections {
  superuser: { host: string; user: string; database: string }
  nowMs: number
  close: () => Promise<void>
}

// With these settings, tables that are created and filled in one transaction write no WAL.
const WHILE_FILLING: Settings = { wal_level: 'minimal', max_wal_senders: '0', maintenance_work_mem: '512MB' }

const open = async (settings?: Settings) => {
  const postgres = await startPostgres({ dataDir: DATA_DIR, ...(settings && { settings }) })
  const connections = await prepareCluster(postgres.socketDir, postgres.superuser)
  return { ...connections, superuser: { ...connections.owner, user: postgres.superuser }, close: postgres.stop }
}

/** A hash of everything that determines the content. When it changes, the store is rebuilt. */
const readVersion = async () => {
  const hash = createHash('sha256')
  for (const file of [
    'fill-store.ts',
    '../server/migrations/0005_telemetry.sql',
    '../server/migrations/0030_tiers.sql',
    '../server/migrations/0034_chart_points.sql',
  ])
    hash.update(await readFile(join(import.meta.dirname, file)))
  return hash.digest('hex')
}

const readManifest = async (version: string): Promise<number | undefined> => {
  try {
    const manifest = JSON.parse(await readFile(MANIFEST, 'utf8'))
    return manifest.version === version ? manifest.nowMs : undefined
  } catch {
    return undefined
  }
}

const build = async (version: string) => {
  await rm(MANIFEST, { force: true })
  await rm(DATA_DIR, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
  const store = await open(WHILE_FILLING)
  try {
    await migrate(store.owner, embeddedRuntimeRole)
    const nowMs = await fillStore(store, (message) => console.log(`  ${message}`))
    await writeFile(MANIFEST, JSON.stringify({ version, nowMs }))
    return nowMs
  } finally {
    await store.close()
  }
}

/** Opens the store of an earlier run or builds a new one in `.bench/`, which takes minutes and 16 GB plus the WAL. */
export const openTelemetryStore = async (): Promise<TelemetryStore> => {
  const version = await readVersion()
  const nowMs = (await readManifest(version)) ?? (await build(version))
  const store = await open()
  await migrate(store.owner, embeddedRuntimeRole)
  return { ...store, nowMs }
}
