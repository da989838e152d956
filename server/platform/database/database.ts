import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { waitAtMost } from '../wait-at-most.ts'
import { isTransactionConflict, toStorageFull } from './errors.ts'
import { queryAfter } from './query-after.ts'
import type { DB } from './schema.ts'

/** A connection inside a transaction. It is the first argument of every query, so nothing is written outside its transaction. */
export type Db = Kysely<DB>

/** Which rows a transaction may see: one tenant's, and only one group's lines if `group` is set. */
export interface Scope {
  tenantId: string
  group?: string | undefined
}

/**
 * Runs one read-only statement. It is prepared once per connection under its name, with a generic plan unless Citus has
 * to plan it.
 */
export type Read = <Row extends object>(statement: ReadStatement) => Promise<Row[]>

export interface ReadStatement {
  name: string
  text: string
  values: unknown[]
}

interface TransactionOptions {
  isReadOnly?: boolean
  /** The commit does not wait for the disk: if the database crashes, the whole transaction may be lost. */
  withAsyncCommit?: boolean
}

export interface Database {
  pool: pg.Pool
  /** The current connections of each pool. */
  readPools: () => { name: 'main' | 'quick'; open: number; idle: number; waiting: number; max: number }[]
  /** How many callers wait for a connection, in either pool. */
  countWaiting: () => number
  /**
   * Runs `work` in one transaction that sees only the rows of `scope`. `client` is the same connection, for COPY. After a
   * deadlock `work` is retried in a new transaction, so it must have no side effects outside its transaction.
   */
  transaction: <T>(
    scope: Scope,
    work: (db: Db, client: pg.PoolClient) => Promise<T>,
    options?: TransactionOptions,
  ) => Promise<T>
  /**
   * Runs one statement in its own transaction and in one round trip, for what every request needs first. It is prepared
   * once per connection under its name.
   */
  readInOneRoundTrip: <Row extends object>(scope: Scope, name: string, statement: RawBuilder<Row>) => Promise<Row[]>
  /** Reads what `scope` may see. Each statement has its own transaction, whose end is not awaited. */
  reader: (scope: Scope) => Read
  /** For data without a tenant: the directory, locks, the catalog. */
  outsideTenants: Db
  /** Statements that are still running get a moment to end; then their connections are closed. */
  close: () => Promise<void>
}

// Identity values stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// A date has no time zone; as a Date it would shift with the machine's.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

const TENANT_ID = /^[a-z0-9][a-z0-9_-]{0,39}$/

const quoteLiteral = (text: string) => pg.escapeLiteral(text)

// SET LOCAL and not set_config(): only SET LOCAL reaches the shards of Citus.
const listBegin = ({ tenantId, group }: Scope, { isReadOnly, withAsyncCommit }: TransactionOptions = {}) => {
  if (!TENANT_ID.test(tenantId)) throw new Error('A transaction needs the id of a tenant.')
  const begin = [
    isReadOnly ? 'begin read only' : 'begin',
    `set local app.tenant_id = ${quoteLiteral(tenantId)}`,
    `set local app."group" = ${quoteLiteral(group ?? '')}`,
  ]
  return withAsyncCommit ? [...begin, 'set local synchronous_commit = off'] : begin
}

/** Queries on a connection that is already in a transaction. */
export const createKysely = (client: pg.ClientBase): Db => {
  const borrowed = { query: client.query.bind(client), release: () => {} }
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { options: {}, connect: async () => borrowed, end: async () => {} } }),
  })
}

/** Runs `work` on a connection; a broken one is not reused. */
const withClient = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    return await work(client)
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    // The pool discards a dead connection on its own.
    client.release(broken)
  }
}

const MAX_TRIES = 4

const runTransaction = async <T>(
  client: pg.PoolClient,
  begin: readonly string[],
  work: () => Promise<T>,
): Promise<T> => {
  await queryAfter(client, begin.slice(0, -1), { text: begin.at(-1) as string })
  const result = await work()
  const { command } = await client.query('commit')
  // A statement failed and its error was swallowed, so PostgreSQL rolled back on commit.
  if (command !== 'COMMIT') throw new Error('The transaction was undone because a statement in it had failed.')
  return result
}

/** Retries a transaction that lost a conflict, a bounded number of times. */
const runWithRetries = async <T>(
  client: pg.PoolClient,
  begin: readonly string[],
  work: () => Promise<T>,
): Promise<T> => {
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    try {
      return await runTransaction(client, begin, work)
    } catch (error) {
      if (!isTransactionConflict(error as Error)) throw error
      await client.query('rollback')
    }
  }
  return runTransaction(client, begin, work)
}

// Replanning a statement for its values would take as long as executing it.
const PLAN_FOR_ALL = 'set local plan_cache_mode = force_generic_plan'

/** Citus needs the parameter values of a statement to find its shard. */
const hasCitus = async (client: pg.ClientBase) => {
  const { rows } = await client.query<{ yes: boolean }>(
    "select to_regclass('pg_catalog.pg_dist_partition') is not null as yes",
  )
  return rows[0]?.yes === true
}

export const STATEMENT_TIMEOUT_MS = 60_000

const FINISH_STATEMENTS_WITHIN_MS = 1_000
const CLOSE_WITHIN_MS = 1_250

/** The size of the pool for what every request needs first. */
const QUICK_CONNECTIONS = 2

/** Connections besides the main pool: the quick pool, and the listener. */
export const EXTRA_CONNECTIONS = QUICK_CONNECTIONS + 1

/** While `isFull`, transactions are read-only. */
export const openDatabase = (
  options: pg.PoolConfig,
  onError: (error: Error) => void,
  isFull: () => boolean = () => false,
): Database => {
  const limits = { max: 10, connectionTimeoutMillis: 5_000, statement_timeout: STATEMENT_TIMEOUT_MS }
  const pool = new pg.Pool({ ...limits, ...options })
  // A separate pool, because long transactions must not delay the authentication of requests, and COPY cannot be pipelined.
  const quickPool = new pg.Pool({ ...limits, ...options, max: QUICK_CONNECTIONS, pipeline: true })
  const inUse = new Set<pg.PoolClient>()
  // Without a listener, an idle connection that breaks would crash the process.
  for (const each of [pool, quickPool]) {
    each.on('error', onError)
    // A pool does not listen to a client that is checked out or removed.
    each.on('connect', (client) => client.on('error', () => {}))
    each.on('acquire', (client) => inUse.add(client))
    each.on('release', (_error, client) => inUse.delete(client))
  }
  const outsideTenants = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  let plansForAll: boolean | undefined
  return {
    pool,
    readPools: () =>
      (
        [
          ['main', pool],
          ['quick', quickPool],
        ] as const
      ).map(([name, each]) => ({
        name,
        open: each.totalCount,
        idle: each.idleCount,
        waiting: each.waitingCount,
        max: each.options.max,
      })),
    countWaiting: () => pool.waitingCount + quickPool.waitingCount,
    outsideTenants,
    transaction: async (scope, work, { isReadOnly = false, withAsyncCommit = false } = {}) => {
      const isStorageFull = isFull()
      const begin = listBegin(scope, { isReadOnly: isReadOnly || isStorageFull, withAsyncCommit })
      const done = withClient(pool, (client) => runWithRetries(client, begin, () => work(createKysely(client), client)))
      return isStorageFull ? done.catch((error: Error) => Promise.reject(toStorageFull(error))) : done
    },
    readInOneRoundTrip: async <Row extends object>(scope: Scope, name: string, statement: RawBuilder<Row>) => {
      const begin = listBegin(scope)
      const { sql: text, parameters } = statement.compile(outsideTenants)
      return withClient(quickPool, async (client) => {
        const query = queryAfter<Row>(client, begin, { name, text, values: [...parameters] })
        const [{ rows }] = await Promise.all([query, client.query('commit')])
        return rows
      })
    },
    reader:
      (scope) =>
      <Row extends object>(statement: ReadStatement) => {
        const begin = listBegin(scope, { isReadOnly: true })
        return new Promise<Row[]>((resolve, reject) => {
          withClient(pool, async (client) => {
            plansForAll ??= !(await hasCitus(client))
            const { rows } = await queryAfter<Row>(client, plansForAll ? [...begin, PLAN_FOR_ALL] : begin, statement)
            resolve(rows)
            await client.query('commit')
          }).catch(reject)
        })
      },
    close: async () => {
      const ending = setTimeout(() => {
        for (const client of inUse) (client as unknown as pg.Client).connection.stream.destroy()
      }, FINISH_STATEMENTS_WITHIN_MS)
      // A pool also waits for connections that are being opened, which a database that has fallen silent never accepts.
      await waitAtMost(CLOSE_WITHIN_MS, Promise.all([pool.end(), quickPool.end()]))
      clearTimeout(ending)
    },
  }
}

const LONGEST_BACKGROUND_STATEMENT = '30min'

export interface BackgroundDatabase extends Database {
  /** Cancels the running statements, so that their transactions fail and are rolled back. */
  cancelStatements: () => Promise<void>
}

/** The same connections, for background work: its statements may take as long as a large account needs. */
export const forBackgroundWork = (database: Database): BackgroundDatabase => {
  /** The backend pids of its transactions. The types of pg do not declare them. */
  const serving = new Set<number>()
  return {
    ...database,
    transaction: (scope, work, options) =>
      database.transaction(
        scope,
        async (db, client) => {
          const { processID } = client as unknown as { processID: number }
          serving.add(processID)
          try {
            await client.query(`set local statement_timeout = '${LONGEST_BACKGROUND_STATEMENT}'`)
            return await work(db, client)
          } finally {
            serving.delete(processID)
          }
        },
        options,
      ),
    cancelStatements: async () => {
      if (serving.size === 0) return
      await sql`select pg_cancel_backend(pid) from unnest(${[...serving]}::int[]) as serving (pid)`.execute(
        database.outsideTenants,
      )
    },
  }
}
