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
  /** Seconds since its last report. */
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

const databaseColumns = sql`
  clock_timestamp() as at, current_setting('server_version') as "databaseVersion",
  pg_database_size(current_database()) as bytes,
  (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
  current_setting('max_connections')::int as "maxConnections"`

interface DatabaseRow extends Omit<Status['database'], 'version'> {
  at: Date
  databaseVersion: string
}

const toDatabase = ({ at, databaseVersion, bytes, connections, maxConnections }: DatabaseRow) => ({
  at,
  database: { version: databaseVersion, bytes, connections, maxConnections },
})

const processRows = sql`
  select roles, host, pid, version, started_at as "startedAt", figures,
    extract(epoch from clock_timestamp() - beat_at)::float as "silentS"
  from processes order by roles, host, pid`

const queueRows = sql`
  select queue,
    count(*) filter (where lease_until is null and due_at <= now())::int as waiting,
    coalesce(extract(epoch from now() - min(due_at) filter (where lease_until is null and due_at <= now())), 0)::float
      as "oldestS",
    count(*) filter (where lease_until is not null)::int as running,
    count(*) filter (where failures > 0)::int as failing,
    (array_agg(last_error order by failures desc) filter (where failures > 0))[1] as "lastError"
  from jobs group by queue order by queue`

interface StatusRow extends DatabaseRow {
  newest: string | null
  tenants: number
  processes: (Omit<ProcessStatus, 'startedAt'> & { startedAt: string })[]
  queues: QueueStatus[]
}

/** In one statement, because `--watch` repeats it every two seconds. */
const readInstallation = async (db: Db) => {
  const { rows } = await sql<StatusRow>`
    select ${databaseColumns},
      (select max(name) from schema_migrations) as newest,
      (select count(*)::int from tenants) as tenants,
      array(select row_to_json(process) from (${processRows}) as process) as processes,
      array(select row_to_json(queue_status) from (${queueRows}) as queue_status) as queues`.execute(db)
  return rows[0] as StatusRow
}

/** Reads the state of the whole installation. Its cost does not depend on the number of samples. */
export const readStatus = async (db: Db): Promise<Status> => {
  const difference = await compareSchema(db)
  if (difference.missing.length > 0) {
    const { rows } = await sql<DatabaseRow>`select ${databaseColumns}`.execute(db)
    const { at, database } = toDatabase(rows[0] as DatabaseRow)
    return { at, version, database, schema: { ...difference, newest: null }, tenants: 0, processes: [], queues: [] }
  }
  const row = await readInstallation(db)
  return {
    ...toDatabase(row),
    version,
    tenants: row.tenants,
    queues: row.queues,
    schema: { ...difference, newest: row.newest },
    processes: row.processes.map((each) => ({ ...each, startedAt: new Date(each.startedAt) })),
  }
}
