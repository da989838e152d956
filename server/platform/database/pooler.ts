import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { STATEMENT_TIMEOUT_MS } from './database.ts'

const readPid = async (client: pg.Client) => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

/** Whether the session of `client` moves to another server connection when its own is in use. */
const isMoved = async (client: pg.Client, other: pg.Client) => {
  const before = await readPid(client)
  await other.query('begin')
  try {
    const used = await readPid(other)
    return used === before || (await readPid(client)) !== before
  } finally {
    await other.query('rollback')
  }
}

/** A pooler assigns its clients pids of its own instead of the backend's. */
const isPooled = async (client: pg.Client) =>
  (client as unknown as { processID: number | null }).processID !== (await readPid(client))

const explain = (error: unknown, setting: string): unknown =>
  /unsupported startup parameter/.test((error as Error).message)
    ? new StartupError(
        `The pooler of ${setting} refuses statement_timeout. Set ignore_startup_parameters = statement_timeout in PgBouncer, and the limit at the role: alter role … set statement_timeout = '${STATEMENT_TIMEOUT_MS / 1000}s'; see docs/operating.md.`,
      )
    : error

/**
 * Refuses a pooler that assigns a connection per transaction, like PgBouncer with pool_mode transaction. LISTEN, the
 * advisory lock that proves a process is alive, and prepared statements are bound to one connection: without it a process
 * would run and miss changes, and two would poll the same vendor account.
 */
export const refuseTransactionPooling = async (connection: pg.ClientConfig, setting: string) => {
  // Connects like the pools do, so that a pooler that refuses them fails here.
  const options = { ...connection, statement_timeout: STATEMENT_TIMEOUT_MS }
  const [client, other] = [new pg.Client(options), new pg.Client(options)]
  try {
    await client.connect()
    if (!(await isPooled(client))) return
    await other.connect()
    if (await isMoved(client, other))
      throw new StartupError(
        `${setting} leads to a pooler in transaction mode, such as PgBouncer. Dishboard needs connections of its own, for LISTEN, session locks and prepared statements, and pools them itself (DATABASE_CONNECTIONS). Connect to PostgreSQL directly, or set pool_mode = session; see docs/operating.md.`,
      )
  } catch (error) {
    throw explain(error, setting)
  } finally {
    await Promise.all([client.end(), other.end()])
  }
}
