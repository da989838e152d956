import { readdir, readFile } from 'node:fs/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import type { Db } from './database.ts'
import { splitStatements } from './split-statements.ts'

const folder = new URL('../../migrations/', import.meta.url)

const sqlMigration = (name: string): Migration => ({
  up: async (db) => {
    for (const statement of splitStatements(await readFile(new URL(name, folder), 'utf8')))
      await sql.raw(statement).execute(db)
  },
})

export const listMigrationNames = async () => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'))
  return files.map((file) => file.replace(/\.sql$/, '')).sort()
}

const migratorOn = (db: Kysely<unknown>, names: readonly string[]) =>
  new Migrator({
    db,
    provider: {
      getMigrations: async () => Object.fromEntries(names.map((name) => [name, sqlMigration(`${name}.sql`)])),
    },
    // A release may have a lower number than the newest one of its predecessor, because they were developed in parallel.
    allowUnorderedMigrations: true,
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  })

/**
 * As long as nothing is distributed, nothing is sent to the nodes of Citus: it would create the owner's role there as well,
 * which only a superuser may. `distribute` prepares the nodes.
 */
const KEEP_ON_COORDINATOR = `do $$ begin
  if to_regclass('pg_catalog.pg_dist_partition') is null then return; end if;
  if not exists (select from pg_catalog.pg_dist_partition) then
    perform set_config('citus.enable_ddl_propagation', 'off', false);
  end if;
end $$`

/**
 * Migrates the database to this version's schema, or to that of an older version, given as the migrations it had. Safe to
 * run concurrently: the second run waits and finds nothing to do.
 */
export const migrate = async (
  owner: pg.PoolConfig,
  runtimeRole: string,
  names?: readonly string[],
): Promise<string[]> => {
  const pool = new pg.Pool({ ...owner, max: 2 })
  pool.on('error', () => {})
  // A connection that broke fails the next statement too.
  pool.on('connect', (client) => client.query(KEEP_ON_COORDINATOR).catch(() => {}))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const turn = new pg.Client(owner)
  turn.on('error', () => {})
  try {
    // Kysely's own lock covers only the migrations, not the grants.
    await turn.connect()
    await turn.query("select pg_advisory_lock(hashtextextended('dishboard:migrate', 0))")
    const wanted = names ?? (await listMigrationNames())
    refuseNewerSchema(await compareSchema(db, wanted))
    const { error, results } = await migratorOn(db, wanted).migrateToLatest()
    if (error) throw error
    await sql`grant select on schema_migrations to dishboard_runtime`.execute(db)
    await sql`grant dishboard_runtime to ${sql.id(runtimeRole)}`.execute(db)
    return (results ?? []).map((result) => result.migrationName)
  } finally {
    await turn.end()
    await db.destroy()
  }
}

export interface SchemaDifference {
  /** Migrations that this version has and the database does not. */
  missing: string[]
  /** Migrations that the database has and this version does not: a newer version has used it. */
  unknown: string[]
}

export const compareSchema = async (db: Db, names?: readonly string[]): Promise<SchemaDifference> => {
  const known = names ?? (await listMigrationNames())
  const table = await sql<{ name: string | null }>`select to_regclass('schema_migrations')::text as name`.execute(db)
  if (!table.rows[0]?.name) return { missing: [...known], unknown: [] }
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db)
  const applied = rows.map(({ name }) => name)
  return {
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

export const NEWER_SCHEMA_FIX =
  'run that version or a newer one, or restore the backup that was made before the upgrade into a new database'

/** What a newer version changed may have a different meaning for this one, so it must not write. */
export const refuseNewerSchema = ({ unknown }: SchemaDifference) => {
  if (unknown.length === 0) return
  throw new StartupError(
    `A newer version has changed the database: this version does not know ${unknown.join(', ')}. To fix it, ${NEWER_SCHEMA_FIX}.`,
  )
}
