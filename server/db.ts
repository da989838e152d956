import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from './schema.ts'

/** A connection inside a transaction. Every query takes it first, so nothing is written outside its transaction. */
export type Db = Kysely<DB>

/** Whose rows a transaction may see: one tenant's, and of its lines one group's where `group` is set. */
export interface Scope {
  tenantId: string
  group?: string | undefined
}

export interface Database {
  pool: pg.Pool
  /** Runs `work` in one transaction that sees the rows of `scope` only. `client` is the same connection, for COPY. */
  transaction: <T>(scope: Scope, work: (db: Db, client: pg.PoolClient) => Promise<T>) => Promise<T>
  /** Reads what has no tenant: the directory, locks, the catalogue. */
  outsideTenants: Db
  close: () => Promise<void>
}

// Identity columns stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// A date has no zone; as a Date it would shift with the machine's.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

const TENANT_ID = /^[a-z0-9][a-z0-9_-]{0,39}$/

const quoteLiteral = (text: string) => pg.escapeLiteral(text)

// SET LOCAL and not set_config(): only the former reaches the shards of a distributed PostgreSQL.
const beginFor = ({ tenantId, group }: Scope) => {
  if (!TENANT_ID.test(tenantId)) throw new Error('A transaction needs the id of a tenant.')
  return `begin; set local app.tenant_id = ${quoteLiteral(tenantId)}; set local app."group" = ${quoteLiteral(group ?? '')}`
}

const kyselyOn = (client: pg.PoolClient): Db => {
  const borrowed = { query: client.query.bind(client), release: () => {} }
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { options: {}, connect: async () => borrowed, end: async () => {} } }),
  })
}

export const openDatabase = (options: pg.PoolConfig, onError: (error: Error) => void): Database => {
  const pool = new pg.Pool({ max: 10, connectionTimeoutMillis: 5_000, statement_timeout: 60_000, ...options })
  // Without a listener, a connection that breaks while idle ends the process.
  pool.on('error', onError)
  const outsideTenants = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  return {
    pool,
    outsideTenants,
    transaction: async (scope, work) => {
      const begin = beginFor(scope)
      const client = await pool.connect()
      let broken: Error | undefined
      // A connection that dies while it is lent out must not become an unhandled event.
      const noteBreak = (error: Error) => {
        broken = error
      }
      client.on('error', noteBreak)
      try {
        await client.query(begin)
        const result = await work(kyselyOn(client), client)
        await client.query('commit')
        return result
      } catch (error) {
        await client.query('rollback').catch((failure: Error) => {
          broken = failure
        })
        throw error
      } finally {
        client.off('error', noteBreak)
        client.release(broken)
      }
    },
    close: async () => {
      await pool.end()
    },
  }
}
