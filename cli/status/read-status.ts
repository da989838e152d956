import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { compareSchema, type SchemaDifference } from '#server/platform/database/migrate.ts'
import type { ProcessFigures } from '#server/process/heartbeat.ts'
import { version } from '#server/process/version.ts'

export interface ProcessStatus {
  roles: string
  host: string
  pid: number
  version: string
  startedAt: Date
  /** Since it last reported. */
  silentS: number
  figures: ProcessFigures
}

export interface QueueStatus {
  queue: string
  waiting: number
  oldestS: number
  running: number
  failing: number
  lastError: string | null
}

export interface Status {
  at: Date
  version: string
  database: { version: string; bytes: number; connections: number; maxConnections: number }
  schema: SchemaDifference & { newest: string | null }
  tenants: number
  processes: ProcessStatus[]
  queues: QueueStatus[]
}

const readDatabase = async (db: Db) => {
  const { rows } = await sql<{ at: Date } & Status['database']>`
    select clock_timestamp() as at, current_setting('server_version') as version,
      pg_database_size(current_database()) as bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as "maxConnections"`.execute(db)
  const { at, ...database } = rows[0] as (typeof rows)[0]
  return { at, database }
}

const listProcesses = async (db: Db) => {
  const { rows } = await sql<ProcessStatus>`
    select roles, host, pid, version, started_at as "startedAt", figures,
      extract(epoch from clock_timestamp() - beat_at)::float as "silentS"
    from processes order by roles, host, pid`.execute(db)
  return rows
}

const listQueues = async (db: Db) => {
  const { rows } = await sql<QueueStatus>`
    select queue,
      count(*) filter (where lease_until is null and due_at <= now())::int as waiting,
      coalesce(extract(epoch from now() - min(due_at) filter (where lease_until is null and due_at <= now())), 0)::float
        as "oldestS",
      count(*) filter (where lease_until is not null)::int as running,
      count(*) filter (where failures > 0)::int as failing,
      (array_agg(last_error order by failures desc) filter (where failures > 0))[1] as "lastError"
    from jobs group by queue order by queue`.execute(db)
  return rows
}

const readCounts = async (db: Db) => {
  const { rows } = await sql<{ newest: string | null; tenants: number }>`
    select (select max(name) from schema_migrations) as newest, (select count(*)::int from tenants) as tenants`.execute(
    db,
  )
  return rows[0] as (typeof rows)[0]
}

/** Reads the state of the whole installation. Nothing of it depends on the number of samples. */
export const readStatus = async (db: Db): Promise<Status> => {
  const difference = await compareSchema(db)
  const { at, database } = await readDatabase(db)
  if (difference.missing.length > 0)
    return { at, version, database, schema: { ...difference, newest: null }, tenants: 0, processes: [], queues: [] }
  const { newest, tenants } = await readCounts(db)
  return {
    ...{ at, version, database, tenants },
    schema: { ...difference, newest },
    processes: await listProcesses(db),
    queues: await listQueues(db),
  }
}
