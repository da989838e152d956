import pg from 'pg'
import { StartupError } from '../startup-error.ts'

const DATABASE = 'dishboard'
const OWNER = 'dishboard_owner'
export const embeddedRuntimeRole = 'dishboard_app'

const queryOnce = async <T extends pg.QueryResultRow>(connection: pg.PoolConfig, statement: string) => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<T>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Creates the two roles and the database in a new cluster. */
export const prepareCluster = async (socketDir: string, superuser: string, database = DATABASE) => {
  const admin = { host: socketDir, user: superuser, database: 'postgres' }
  const roles = await queryOnce<{ rolname: string }>(admin, 'select rolname from pg_roles')
  const has = (name: string) => roles.some((role) => role.rolname === name)
  if (!has(OWNER)) await queryOnce(admin, `create role ${OWNER} login createrole`)
  if (!has(embeddedRuntimeRole)) await queryOnce(admin, `create role ${embeddedRuntimeRole} login`)
  const databases = await queryOnce<{ datname: string }>(admin, 'select datname from pg_database')
  if (!databases.some((row) => row.datname === database))
    await queryOnce(admin, `create database "${database}" owner ${OWNER}`)
  return {
    runtime: { host: socketDir, user: embeddedRuntimeRole, database },
    owner: { host: socketDir, user: OWNER, database },
  }
}

export const OLDEST_POSTGRES = 150_000

/** An older server would fail somewhere in the migrations. */
export const refuseOldServer = async (runtime: pg.PoolConfig, oldest = OLDEST_POSTGRES) => {
  const [server] = await queryOnce<{ number: number; version: string }>(
    runtime,
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as version",
  )
  if (server && server.number < oldest)
    throw new StartupError(
      `PostgreSQL ${server.version} is too old. Upgrade it to ${Math.floor(oldest / 10_000)} or newer.`,
    )
}

/** Refuses a role that bypasses row-level security. */
export const refuseUnsafeRole = async (runtime: pg.PoolConfig) => {
  const [role] = await queryOnce<{ rolname: string; bypasses: boolean; owns: number }>(
    runtime,
    `select rolname, rolsuper or rolbypassrls as bypasses,
      (select count(*)::int from pg_class where relowner = r.oid and relkind in ('r', 'p')) as owns
      from pg_roles r where rolname = current_user`,
  )
  if (role?.bypasses)
    throw new StartupError(
      `DATABASE_URL connects as ${role.rolname}, a superuser or a role that bypasses row-level security, so tenants would not be kept apart. Create a plain role (create role dishboard login password '…') and use it; see docs/operating.md.`,
    )
  if (role && role.owns > 0)
    throw new StartupError(
      `DATABASE_URL connects as ${role.rolname}, which owns tables. Let another role own them (DATABASE_OWNER_URL); see docs/operating.md.`,
    )
}
