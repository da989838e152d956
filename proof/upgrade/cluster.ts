import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { prepareCluster } from '#server/platform/database/roles.ts'
import { startPostgres } from '#server/platform/postgres/start-postgres.ts'
import { onCleanup } from '../cleanup.ts'

export interface Place {
  owner: pg.PoolConfig
  runtime: pg.PoolConfig
  superuser: pg.PoolConfig
  dataDir: string
}

/** A separate PostgreSQL with the settings of the product, for creating empty databases. */
export const startCluster = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dishboard-proof-'))
  onCleanup(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
  onCleanup(() => postgres.stop())
  let count = 0
  return {
    folder,
    createDatabase: async (): Promise<Place> => {
      const name = `proof_${++count}`
      const connections = await prepareCluster(postgres.socketDir, postgres.superuser, name)
      const superuser = { ...connections.owner, user: postgres.superuser }
      return { ...connections, superuser, dataDir: join(folder, name) }
    },
  }
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

export const query = async <T extends pg.QueryResultRow>({ superuser }: Place, statement: string): Promise<T[]> => {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    return (await client.query<T>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Counts the rows of our tables; an empty database has none. */
export const countRows = async (place: Place) => {
  const tables = await query<{ name: string }>(
    place,
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relname not like 'schema_migrations%'`,
  )
  let rows = 0
  for (const { name } of tables)
    rows += (await query<{ n: number }>(place, `select count(*)::int as n from ${name}`))[0]?.n ?? 0
  return rows
}
