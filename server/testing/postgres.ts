import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../platform/database/migrate.ts'
import { prepareCluster } from '../platform/database/roles.ts'
import { startPostgres } from '../platform/postgres/start-postgres.ts'
import { TEMPLATE_DATABASE } from './database.ts'

// Test data need not survive a crash, so nothing waits for the disk.
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

/** A separate PostgreSQL with a migrated template database. */
export const startTestPostgres = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dishboard-test-'))
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: SETTINGS })
  const stop = async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const { owner, runtime } = await prepareCluster(postgres.socketDir, postgres.superuser, TEMPLATE_DATABASE)
    await migrate(owner, runtime.user)
  } catch (error) {
    await stop()
    throw error
  }
  return { socketDir: postgres.socketDir, stop }
}
