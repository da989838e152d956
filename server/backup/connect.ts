import { availableParallelism } from 'node:os'
import pg from 'pg'

const MAX_JOBS = 8

/** The default number of concurrent connections: one per core. */
export const countDefaultJobs = () => Math.min(availableParallelism(), MAX_JOBS)

/** Rows are read and written the same way wherever the database and this process are. */
export const connect = async (owner: pg.PoolConfig) => {
  const client = new pg.Client(owner)
  client.on('error', () => {})
  await client.connect()
  await client.query("set timezone = 'UTC'")
  // On Citus, transaction settings reach the shards only with this; elsewhere it has no effect.
  await client.query("set citus.propagate_set_commands = 'local'")
  return client
}

export type Client = Awaited<ReturnType<typeof connect>>

export const quote = (name: string) => pg.escapeIdentifier(name)
export const quoteAll = (names: readonly string[]) => names.map(quote).join(', ')
