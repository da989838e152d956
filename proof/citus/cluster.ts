import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loadAuditKeys } from '#server/audit/keys.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { TEST_SECRET_KEY, type TestDatabase, trackConnections } from '#server/testing/database.ts'
import { onCleanup } from '../cleanup.ts'

export interface Node {
  host: string
  port: number
}

interface DatabaseOptions {
  pool?: pg.PoolConfig
  isMigrated?: boolean
  isPlain?: boolean
}

const OWNER = 'dishboard_owner'
const RUNTIME = 'dishboard_app'

export const runOnce = async <Row extends pg.QueryResultRow>(
  connection: pg.ClientConfig,
  statement: string,
): Promise<Row[]> => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

export const formatUrl = ({ host, port, user, database }: pg.PoolConfig) =>
  `postgres://${user}@${host}:${port}/${database}`

/** A Citus cluster by the address of its coordinator, as a superuser. Its nodes admit the roles of the proof. */
export const openCitusCluster = async (url: string) => {
  const { hostname: host, port, username, password } = new URL(url)
  const coordinator: Node = { host, port: Number(port || 5432) }
  const as = (node: Node, database: string, user = decodeURIComponent(username)) => ({
    ...node,
    user,
    database,
    ...(password && { password: decodeURIComponent(password) }),
  })
  const [first] = await runOnce<{ version: string }>({ connectionString: url }, 'select citus_version() as version')
  const workers = await runOnce<Node>(
    { connectionString: url },
    'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by nodeid',
  )
  const nodes = [coordinator, ...workers]
  const runOnNodes = async (statement: string, database = 'postgres') => {
    for (const node of nodes) await runOnce(as(node, database), statement)
  }
  const addRole = (name: string, options: string) =>
    runOnNodes(`do $$ begin
      perform set_config('citus.enable_ddl_propagation', 'off', true);
      if not exists (select from pg_roles where rolname = '${name}') then create role ${name} ${options}; end if;
    end $$`)
  await addRole(OWNER, 'login createrole')
  await addRole(RUNTIME, 'login')

  const addNodes = async (superuser: pg.ClientConfig) => {
    await runOnce(superuser, `select citus_set_coordinator_host('${host}', ${coordinator.port})`)
    for (const worker of workers) await runOnce(superuser, `select citus_add_node('${worker.host}', ${worker.port})`)
  }

  /** A database on all nodes, not distributed yet; a plain one without the extension. */
  const createDatabase = async ({ pool = {}, isMigrated = true, isPlain = false }: DatabaseOptions = {}) => {
    loadAuditKeys([TEST_SECRET_KEY])
    const name = `proof_${randomBytes(6).toString('hex')}`
    const drop = onCleanup(() => runOnNodes(`drop database if exists ${name} with (force)`))
    await runOnNodes(`create database ${name} owner ${OWNER}`)
    const superuser = as(coordinator, name)
    if (!isPlain) {
      await runOnNodes('create extension citus', name)
      await addNodes(superuser)
    }
    const [owner, runtime] = [as(coordinator, name, OWNER), as(coordinator, name, RUNTIME)]
    if (isMigrated) await migrate(owner, RUNTIME)
    const dataDir = join(tmpdir(), `dishboard-${name}`)
    const superusers = trackConnections(superuser)
    const test: TestDatabase = {
      database: openDatabase({ ...runtime, ...pool }, () => {}),
      runtime,
      owner,
      superuser,
      connectSuperuser: superusers.open,
      dataDir,
      close: async () => {
        await superusers.close()
        await test.database.close()
        await rm(dataDir, { recursive: true, force: true })
        await drop()
      },
    }
    return test
  }
  return { version: first?.version ?? '', workers, createDatabase, connect: as }
}

export type CitusCluster = Awaited<ReturnType<typeof openCitusCluster>>
