import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import { formatDecimal } from '#contract/format/numbers.ts'
import { RESTORE_SCHEMA } from '#server/backup/stage-partitions.ts'
import type { Config } from '#server/platform/config.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { compareSchema, NEWER_SCHEMA_FIX } from '#server/platform/database/migrate.ts'
import { refuseTransactionPooling } from '#server/platform/database/pooler.ts'
import { OLDEST_POSTGRES, prepareCluster, refuseUnsafeRole } from '#server/platform/database/roles.ts'
import { isRecovering } from '#server/platform/database/wait-until-recovered.ts'
import { findRunningPostgres } from '#server/platform/postgres/running.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { DISTRIBUTE_AGAIN, readDistribution } from '#server/telemetry/distribution.ts'
import { compareClock } from './clock.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

type Place = { runtime: pg.PoolConfig; owner: pg.PoolConfig | undefined } | { finding: Finding }

const findPlace = async (config: Config): Promise<Place> => {
  if (config.databaseUrl !== undefined) {
    const owner = config.databaseOwnerUrl === undefined ? undefined : { connectionString: config.databaseOwnerUrl }
    return { runtime: { connectionString: config.databaseUrl }, owner }
  }
  const dataDir = join(config.dataDir, 'postgres')
  if (!existsSync(dataDir))
    return {
      finding: warn('database', `${dataDir} holds no database yet`, 'run npm start to create one, or set DATABASE_URL'),
    }
  const running = findRunningPostgres(dataDir)
  if (!running)
    return { finding: warn('database', `the embedded PostgreSQL of ${dataDir} is not running`, 'run npm start') }
  return prepareCluster(running.socketDir, running.superuser)
}

const getMessage = (error: unknown) => {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || String(error)
}

const checkServer = async (database: Database): Promise<Finding[]> => {
  const { rows } = await sql<{ number: number; version: string; at: Date }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      clock_timestamp() as at`.execute(database.outsideTenants)
  const { number, version, at } = rows[0] as (typeof rows)[0]
  const isNew = number >= OLDEST_POSTGRES
  return [
    isNew
      ? ok('database', `connected to PostgreSQL ${version}`)
      : fail('database', `PostgreSQL ${version} is too old`, 'upgrade it to 15 or newer'),
    compareClock('the database', at, new Date()),
  ]
}

const checkRole = async (runtime: pg.PoolConfig): Promise<Finding> => {
  try {
    await refuseUnsafeRole(runtime)
    return ok('role', 'row-level security applies to the runtime role')
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return fail('role', error.message, 'see docs/operating.md for how to create the two roles')
  }
}

const checkPooler = async (runtime: pg.PoolConfig): Promise<Finding> => {
  try {
    await refuseTransactionPooling(runtime, 'DATABASE_URL')
    return ok('sessions', 'each connection has a session of its own')
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return fail('sessions', error.message, 'connect to PostgreSQL directly, or through a pooler in session mode')
  }
}

const checkMigrations = async (database: Database, hasOwner: boolean): Promise<Finding> => {
  const { missing, unknown } = await compareSchema(database.outsideTenants)
  if (unknown.length > 0)
    return fail(
      'migrations',
      `unknown to this version, applied by a newer one: ${unknown.join(', ')}`,
      NEWER_SCHEMA_FIX,
    )
  if (missing.length === 0) return ok('migrations', 'the schema is up to date')
  const [first, ...others] = missing
  const fix = `${hasOwner ? '' : 'set DATABASE_OWNER_URL and '}run npm run dishboard -- migrate`
  return fail('migrations', `not applied yet: ${first}${others.length > 0 ? ` and ${others.length} more` : ''}`, fix)
}

/** Also connects to every node as the runtime role, as each transaction does. */
const checkDistribution = async (database: Database): Promise<Finding[]> => {
  const { isDistributed, nodes, problems } = await readDistribution(database.outsideTenants)
  if (!isDistributed) return []
  if (problems.length > 0)
    return [fail('distribution', `the database is distributed in part: ${problems.join('; ')}`, DISTRIBUTE_AGAIN)]
  const { rows } = await sql<{ name: string; result: string }>`
    select nodename || ':' || nodeport as name, result
    from run_command_on_all_nodes('select pg_has_role(current_user, ''dishboard_runtime'', ''member'')')
    join pg_dist_node using (nodeid)
    where not success or result <> 't' order by 1`.execute(database.outsideTenants)
  if (rows.length === 0) return [ok('distribution', `samples are spread over ${nodes} nodes, and all of them answer`)]
  const fact = rows.map(({ name, result }) =>
    result === 'f' ? `${name} lacks a grant of dishboard_runtime` : `${name}: ${result}`,
  )
  return [fail('distribution', fact.join('; '), `start the node, or ${DISTRIBUTE_AGAIN}`)]
}

const MB = 1024 ** 2

/** A killed restore leaves the partitions that it had loaded. */
const checkRestore = async (database: Database): Promise<Finding[]> => {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::float8 as bytes
    from pg_namespace left join pg_class on relnamespace = pg_namespace.oid and relkind = 'r'
    where nspname = ${RESTORE_SCHEMA} group by pg_namespace.oid`.execute(database.outsideTenants)
  return rows.map(({ bytes }) =>
    warn(
      'restore',
      `the schema ${RESTORE_SCHEMA} takes ${formatDecimal(bytes / MB, 1)} MB; a restore is running, or one was interrupted`,
      `if none is running, restore again, or remove it as the owner of the database: drop schema ${RESTORE_SCHEMA} cascade`,
    ),
  )
}

const checkOwner = async (owner: pg.PoolConfig): Promise<Finding> => {
  const database = openDatabase({ ...owner, max: 1 }, () => {})
  try {
    const { rows } = await sql<{ name: string }>`select current_user as name`.execute(database.outsideTenants)
    return ok('owner', `the owner connects as ${rows[0]?.name}`)
  } catch (error) {
    return fail('owner', `the owner cannot connect: ${getMessage(error)}`, 'correct DATABASE_OWNER_URL, or unset it')
  } finally {
    await database.close()
  }
}

/** Read-only: pending migrations are reported, not applied. */
export const checkDatabase = async (config: Config): Promise<Finding[]> => {
  const place = await findPlace(config)
  if ('finding' in place) return [place.finding]
  const database = openDatabase({ ...place.runtime, max: 1 }, () => {})
  try {
    const sessions = await checkPooler(place.runtime)
    if (sessions.level === 'FAIL') return [sessions]
    const findings = [...(await checkServer(database)), sessions]
    findings.push(await checkRole(place.runtime), await checkMigrations(database, place.owner !== undefined))
    findings.push(...(await checkDistribution(database)), ...(await checkRestore(database)))
    if (place.owner) findings.push(await checkOwner(place.owner))
    return findings
  } catch (error) {
    const fix = isRecovering(error)
      ? 'wait until it has recovered; its own log shows how far it is'
      : 'start it, or correct DATABASE_URL (host, port, role, password, database)'
    return [fail('database', `cannot connect: ${getMessage(error)}`, fix)]
  } finally {
    await database.close()
  }
}
