import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { loadAuditKeys } from '../audit/keys.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'

export const TEMPLATE_DATABASE = 'dishboard_template'

export const TEST_SECRET_KEY = 'a key that is long enough for tests'

export interface TestDatabase {
  database: Database
  runtime: pg.PoolConfig
  owner: pg.PoolConfig
  superuser: pg.PoolConfig
  /** A connection that sees and changes everything. `close` ends it. */
  connectSuperuser: () => Promise<pg.Client>
  /** For the files of an installation on this database. Created on first write. */
  dataDir: string
  close: () => Promise<void>
}

/** Runs statements on a separate connection. */
export const runOnce = async (connection: pg.ClientConfig, statement: string) => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Opens connections that are closed together. */
export const trackConnections = (config: pg.ClientConfig) => {
  const clients: pg.Client[] = []
  return {
    open: async () => {
      const client = new pg.Client(config)
      clients.push(client)
      await client.connect()
      return client
    },
    close: async () => {
      for (const client of clients) await client.end()
    },
  }
}

// A busy machine may take long to open a connection or run a statement; tests do not test speed.
export const NO_TIME_LIMITS = { connectionTimeoutMillis: 0, statement_timeout: 0 }

// Only determines how long a failed test takes that left a transaction open.
const LEAVE_WITHIN_MS = 30_000

/** A pool counts as closed before its connections have ended. Terminating one then raises an unhandled error. */
const waitUntilLeft = async (connection: pg.PoolConfig, name: string, withinMs: number) => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const deadline = Date.now() + withinMs
    const isInUse = async () =>
      (await client.query('select from pg_stat_activity where datname = $1', [name])).rowCount !== 0
    while ((await isInUse()) && Date.now() < deadline) await pause(20)
  } finally {
    await client.end()
  }
}

/** A separate migrated database without tenants; with the template `template0` one without tables. */
export const createTestDatabase = async ({
  socketDir: host = inject('socketDir'),
  pool = {},
  template = TEMPLATE_DATABASE,
  leaveWithinMs = LEAVE_WITHIN_MS,
}: {
  socketDir?: string
  pool?: pg.PoolConfig
  template?: string
  leaveWithinMs?: number
} = {}): Promise<TestDatabase> => {
  loadAuditKeys([TEST_SECRET_KEY])
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = { host, user: 'postgres', database: 'postgres' }
  await runOnce(admin, `create database ${name} template ${template} owner dishboard_owner`)
  const as = (user: string) => ({ host, user, database: name })
  const database = openDatabase({ ...as('dishboard_app'), ...NO_TIME_LIMITS, ...pool }, () => {})
  const dataDir = join(tmpdir(), `dishboard-${name}`)
  const superusers = trackConnections(as('postgres'))
  return {
    database,
    dataDir,
    runtime: as('dishboard_app'),
    owner: as('dishboard_owner'),
    superuser: as('postgres'),
    connectSuperuser: superusers.open,
    close: async () => {
      // Not awaited: a failed test may leave a transaction open, and its pool would wait for it forever.
      database.close().catch(() => {})
      await superusers.close()
      await waitUntilLeft(admin, name, leaveWithinMs)
      await runOnce(admin, `drop database ${name} with (force)`)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
