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

/** Ten thousand terminals and sixty days, as they were at `nowMs`. */
export interface TelemetryStore extends Connections {
  superuser: { host: string; user: string; database: string }
  nowMs: number
  close: () => Promise<void>
}

// Tables that are made and filled in one transaction then need no log.
const WHILE_FILLING: Settings = { wal_level: 'minimal', max_wal_senders: '0', maintenance_work_mem: '512MB' }

const open = async (settings?: Settings) => {
  const postgres = await startPostgres({ dataDir: DATA_DIR, ...(settings && { settings }) })
  const connections = await prepareCluster(postgres.socketDir, postgres.superuser)
  return { ...connections, superuser: { ...connections.owner, user: postgres.superuser }, close: postgres.stop }
}

/** Another version of what fills the store makes another store. */
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

/** The store of an earlier run, or a new one, which takes minutes and sixteen gigabytes, besides the log, in `.bench/`. */
export const openTelemetryStore = async (): Promise<TelemetryStore> => {
  const version = await readVersion()
  const nowMs = (await readManifest(version)) ?? (await build(version))
  const store = await open()
  await migrate(store.owner, embeddedRuntimeRole)
  return { ...store, nowMs }
}
