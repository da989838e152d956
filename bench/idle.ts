import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Connections, withDatabase } from './database.ts'
import type { Figure } from './figures.ts'

const entry = fileURLToPath(new URL('../server/process/main.ts', import.meta.url))
const cli = fileURLToPath(new URL('../cli/main.ts', import.meta.url))
const TENANTS = 1_000
const MEASURED_MS = 60_000
const QUERIES_PER_S = 5
const CONCURRENT_REQUESTS = 50
const REQUESTS = 2_000
const QUIET_WITHIN_MS = 5 * 60_000
const NAME = 'dishboard-idle'

/** By Unix socket, so that no port has to be chosen. */
const formatUrl = ({ host, user, database }: pg.PoolConfig) =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}`

const buildEnvironment = ({ owner, runtime }: Connections, dataDir: string) => ({
  PORT: '0',
  WORK_PORT: '0',
  PGAPPNAME: NAME,
  DATABASE_URL: formatUrl(runtime),
  DATABASE_OWNER_URL: formatUrl(owner),
  SECRET_KEY: 'a key of the bench that is long enough',
  // Enables the mail queue too.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'portal@sender.example',
  DATA_DIR: dataDir,
})

/** Resolves when `findReady` returns a value for a printed line. */
const startChild = async <T>(args: string[], env: NodeJS.ProcessEnv, findReady: (line: string) => T | undefined) => {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGTERM')
    await ended
  }
  const ready = Promise.withResolvers<T>()
  createInterface(child.stdout).on('line', (line) => {
    const found = findReady(line)
    if (found !== undefined) ready.resolve(found)
  })
  child.on('exit', () => ready.reject(new Error('The process did not start.')))
  return { ready: await ready.promise, stop }
}

/** A process as an operator runs it: both parts, or one of them. */
const startProcess = async (connections: Connections, dataDir: string, parts: string[] = []) => {
  const { ready: url, stop } = await startChild([entry, ...parts], buildEnvironment(connections, dataDir), (line) => {
    const { msg, url } = JSON.parse(line) as { msg: string; url?: string }
    return msg === 'ready' ? url : undefined
  })
  return { url, stop }
}

const watch = (admin: pg.Client) => {
  const read = async (text: string) => Number((await admin.query<{ value: string }>(text)).rows[0]?.value)
  return {
    countJobsToRun: () =>
      read('select count(*) as value from jobs where due_at <= now() or leased_by is not null or finished_at is null'),
    countJobs: () => read('select count(*) as value from jobs'),
    /** All statements of the process, including BEGIN and COMMIT, excluding those of this bench. */
    countStatements: () =>
      read(`select coalesce(sum(calls), 0) as value from pg_stat_statements
            where userid <> (select oid from pg_roles where rolname = current_user)`),
    countTransactions: () =>
      read(`select xact_commit + xact_rollback as value from pg_stat_database where datname = current_database()`),
    countConnections: () => read(`select count(*) as value from pg_stat_activity where application_name = '${NAME}'`),
  }
}

type Watch = ReturnType<typeof watch>

/** Waits until every queue has run once for every tenant. */
const waitUntilQuiet = async ({ countJobs, countJobsToRun }: Watch) => {
  const untilMs = performance.now() + QUIET_WITHIN_MS
  while ((await countJobs()) < TENANTS || (await countJobsToRun()) > 0) {
    if (performance.now() > untilMs) throw new Error('The process did not become quiet.')
    await pause(1_000)
  }
}

/** The most connections of the process with this many requests in flight. */
const measureBusyConnections = async ({ countConnections }: Watch, url: string) => {
  let left = REQUESTS
  let most = 0
  const request = async () => {
    while (left-- > 0) await (await fetch(`${url}/readyz`)).arrayBuffer()
  }
  const requests = Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, request))
  const sample = async () => {
    while (left > 0) most = Math.max(most, await countConnections())
  }
  await Promise.all([requests, sample()])
  return most
}

/** Adds one more serve process and two workers to the first process, and an operator who watches them. */
const measureInstallation = async (connections: Connections, watched: Watch, dataDir: string): Promise<Figure[]> => {
  const started: { stop: () => Promise<void> }[] = []
  try {
    for (const part of ['serve', 'work', 'work']) started.push(await startProcess(connections, dataDir, [part]))
    await waitUntilQuiet(watched)
    const measureStatements = async (name: string): Promise<Figure> => {
      const before = await watched.countStatements()
      await pause(MEASURED_MS)
      const value = ((await watched.countStatements()) - before) / (MEASURED_MS / 1_000)
      return { name, value, unit: '/s', atMost: QUERIES_PER_S }
    }
    const alone = await measureStatements('statements of four idle processes, with their heartbeats and leases')
    const watching = [cli, 'status', '--watch', '--json']
    started.push(await startChild(watching, buildEnvironment(connections, dataDir), (line) => line))
    return [alone, await measureStatements('the same with dishboard status --watch')]
  } finally {
    for (const { stop } of started) await stop()
  }
}

const measure = async (connections: Connections): Promise<Figure[]> => {
  const admin = new pg.Client({ ...connections.owner, user: 'postgres' })
  await admin.connect()
  await admin.query('create extension pg_stat_statements')
  await admin.query(`insert into tenants (id) select 'tenant-' || number from generate_series(1, ${TENANTS}) as number`)
  const dataDir = await mkdtemp(join(tmpdir(), 'dishboard-idle-'))
  const { url, stop } = await startProcess(connections, dataDir)
  try {
    const watched = watch(admin)
    await waitUntilQuiet(watched)
    const statements = await watched.countStatements()
    const transactions = await watched.countTransactions()
    await pause(MEASURED_MS)
    const seconds = MEASURED_MS / 1_000
    const idle = await watched.countConnections()
    const figures: Figure[] = [
      {
        name: `statements of an idle process, ${TENANTS.toLocaleString('en-US')} tenants`,
        value: ((await watched.countStatements()) - statements) / seconds,
        unit: '/s',
        atMost: QUERIES_PER_S,
      },
      {
        name: 'transactions meanwhile, with those of this bench',
        value: ((await watched.countTransactions()) - transactions) / seconds,
        unit: '/s',
        atMost: QUERIES_PER_S,
      },
      { name: 'connections of an idle process', value: idle, unit: '' },
      {
        name: `connections under ${CONCURRENT_REQUESTS} concurrent requests`,
        value: await measureBusyConnections(watched, url),
        unit: '',
      },
    ]
    return [...figures, ...(await measureInstallation(connections, watched, dataDir))]
  } finally {
    await stop()
    await admin.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The load of an idle installation on its database. */
export const measureIdle = (): Promise<Figure[]> =>
  withDatabase(measure, { shared_preload_libraries: 'pg_stat_statements' })
