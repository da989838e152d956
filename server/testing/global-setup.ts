import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { prepareCluster } from '../database-roles.ts'
import { migrate } from '../migrate.ts'
import { startPostgres } from '../postgres/start-postgres.ts'
import { TEMPLATE_DATABASE } from './database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    socketDir: string
  }
}

// Tests lose nothing by a crash of the machine, and wait for no disk.
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }

/** One PostgreSQL for the whole run, with a migrated database that each test file copies. */
export const setup = async ({ provide }: TestProject) => {
  const folder = await mkdtemp(join(tmpdir(), 'dishboard-test-'))
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: SETTINGS })
  const { owner, runtime } = await prepareCluster(postgres.socketDir, postgres.superuser, TEMPLATE_DATABASE)
  await migrate(owner, runtime.user)
  provide('socketDir', postgres.socketDir)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
