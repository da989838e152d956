import { readdir, readFile } from 'node:fs/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Db } from './database.ts'

const folder = new URL('../../migrations/', import.meta.url)

const sqlMigration = (name: string): Migration => ({
  up: async (db) => {
    await sql.raw(await readFile(new URL(name, folder), 'utf8')).execute(db)
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
    // A release may hold a lower number than the newest of the one before it: they were made side by side.
    allowUnorderedMigrations: true,
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  })

/**
 * Brings the database to this version's schema, or to that of an older one, which is the migrations it had. Two at once
 * are safe: the second waits and finds nothing to do.
 */
export const migrate = async (
  owner: pg.PoolConfig,
  runtimeRole: string,
  names?: readonly string[],
): Promise<string[]> => {
  const pool = new pg.Pool({ ...owner, max: 2 })
  pool.on('error', () => {})
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const turn = new pg.Client(owner)
  turn.on('error', () => {})
  try {
    // Kysely's own lock covers the migrations only, not the grants.
    await turn.connect()
    await turn.query("select pg_advisory_lock(hashtextextended('dishboard:migrate', 0))")
    const { error, results } = await migratorOn(db, names ?? (await listMigrationNames())).migrateToLatest()
    if (error) throw error
    await sql`grant select on schema_migrations to dishboard_runtime`.execute(db)
    await sql`grant dishboard_runtime to ${sql.id(runtimeRole)}`.execute(db)
    return (results ?? []).map((result) => result.migrationName)
  } finally {
    await turn.end()
    await db.destroy()
  }
}

/** The names of migrations that this version has and the database has not. */
export const listPendingMigrations = async (db: Db): Promise<string[]> => {
  const known = await listMigrationNames()
  const table = await sql<{ name: string | null }>`select to_regclass('schema_migrations')::text as name`.execute(db)
  if (!table.rows[0]?.name) return known
  const done = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
  const names = new Set(done.rows.map((row) => row.name))
  return known.filter((name) => !names.has(name))
}
