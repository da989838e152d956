import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { migrate } from '#server/platform/database/migrate.ts'
import { embeddedRuntimeRole, prepareCluster } from '#server/platform/database/roles.ts'
import type { Settings } from '#server/platform/postgres/settings.ts'
import { startPostgres } from '#server/platform/postgres/start-postgres.ts'

export interface Connections {
  owner: pg.PoolConfig
  runtime: pg.PoolConfig
}

/** Runs the work on a new, migrated PostgreSQL with the product's settings and removes it afterward. */
export const withDatabase = async <T>(
  work: (connections: Connections) => Promise<T>,
  settings: Settings = {},
): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'dishboard-bench-'))
  const postgres = await startPostgres({ dataDir: folder, settings })
  try {
    const connections = await prepareCluster(postgres.socketDir, postgres.superuser)
    await migrate(connections.owner, embeddedRuntimeRole)
    return await work(connections)
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
