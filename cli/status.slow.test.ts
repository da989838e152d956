import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import type { Status } from './status/read-status.ts'
import { buildEnvironment, runDishboard } from './testing/run-dishboard.ts'

const server = fileURLToPath(new URL('../server/process/main.ts', import.meta.url))
const cli = fileURLToPath(new URL('./main.ts', import.meta.url))

let db: TestDatabase
let superuser: pg.Client
let dataDir: string
const children: ChildProcess[] = []
beforeAll(async () => {
  db = await createTestDatabase()
  superuser = await db.connectSuperuser()
  dataDir = await mkdtemp(join(tmpdir(), 'dishboard-status-'))
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await db.close()
})

const environment = () => ({ ...buildEnvironment(db), PATH: process.env.PATH, DATA_DIR: dataDir, DRAIN_SECONDS: '0' })

const startProcess = async (role: 'serve' | 'work', settings: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [server, role], {
    env: { ...environment(), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const ready = Promise.withResolvers<string>()
  createInterface(child.stdout).on('line', (line) => {
    const { msg, url } = JSON.parse(line)
    if (msg === 'ready') ready.resolve(url)
  })
  child.on('exit', () => ready.reject(new Error(`${role} did not start`)))
  return { child, exited: once(child, 'exit'), url: await ready.promise }
}

const readStatus = async (): Promise<Status> => {
  const { code, out, err } = await runDishboard(['status', '--json'], environment())
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

test('shows every process until it stops, queues, database and schema', async () => {
  const metricsToken = 'a token for the metrics'
  const work = await startProcess('work', { WORK_PORT: '0', METRICS_TOKEN: metricsToken })
  const serve = await startProcess('serve', { PORT: '0' })
  expect((await fetch(`${work.url}/readyz`)).status).toBe(200)
  const scraped = await fetch(`${work.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  expect(await scraped.text()).toContain('vendor_credentials 0')

  const status = await readStatus()
  expect(status.processes.map(({ roles, pid, figures }) => ({ roles, pid, works: figures.work !== null }))).toEqual([
    { roles: 'serve', pid: serve.child.pid, works: false },
    { roles: 'work', pid: work.child.pid, works: true },
  ])
  expect(status.schema).toEqual({ missing: [], unknown: [], newest: expect.stringMatching(/^\d{4}_/) })
  expect(status.queues.map(({ queue }) => queue)).toContain('partitions')
  const { out } = await runDishboard(['status'], environment())
  expect(out).toMatch(/^Processes \(2\)$/m)
  expect(out).toMatch(new RegExp(`^ {2}work +\\S+:${work.child.pid} `, 'm'))
  expect(out).toMatch(/^Schema {4}\d{4}_\w+, up to date$/m)

  work.child.kill('SIGTERM')
  expect(await work.exited).toEqual([0, null])
  expect((await readStatus()).processes.map(({ roles }) => roles)).toEqual(['serve'])

  serve.child.kill('SIGKILL')
  await serve.exited
  await superuser.query("update processes set beat_at = now() - interval '10 minutes'")
  expect((await runDishboard(['status'], environment())).out).toMatch(/ GONE 10 min /)
})

test('a transaction of a tenant sees no process', async () => {
  const count = (work: Promise<{ rows: { n: number }[] }>) => work.then(({ rows }) => rows[0]?.n)
  await superuser.query(
    "insert into processes (id, roles, host, pid, version, started_at, figures) values (gen_random_uuid(), 'work', 'h', 1, '1', now(), '{}')",
  )
  const text = 'select count(*)::int as n from processes'
  expect(await count(db.database.transaction({ tenantId: 'a' }, (_, client) => client.query(text)))).toBe(0)
  expect(await count(db.database.pool.query(text))).toBeGreaterThan(0)
  await superuser.query("delete from processes where host = 'h'")
})

test('--watch shows it again and again until it is interrupted, and that the database is away', async () => {
  const child = spawn(process.execPath, [cli, 'status', '--watch'], { env: environment() })
  children.push(child)
  const screens: string[] = []
  createInterface(child.stdout).on('line', (line) => {
    if (/^(Dishboard|The database) /.test(line)) screens.push(line)
  })
  const until = (pattern: RegExp) => expect.poll(() => screens.at(-1)).toMatch(pattern)
  await expect.poll(() => screens.length).toBe(2)
  const database = db.runtime.database as string
  await superuser.query(`alter database "${database}" connection limit 0`)
  await superuser.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [database],
  )
  await until(/^The database does not respond: too many connections/)
  await superuser.query(`alter database "${database}" connection limit -1`)
  await until(/^Dishboard /)
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  expect(await exited).toEqual([0, null])
})

test('--watch ends when nobody reads it anymore, like `| head` does', async () => {
  const child = spawn(process.execPath, [cli, 'status', '--watch', '--json'], { env: environment() })
  children.push(child)
  const complaints = text(child.stderr)
  const ended = once(child, 'close')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect(await ended).toEqual([0, null])
  expect(await complaints).toBe('')
})

test('a database without tables is shown as not migrated, and stays as it is', async () => {
  const bare = await createTestDatabase({ template: 'template0' })
  const { code, out } = await runDishboard(['status'], buildEnvironment(bare))
  await bare.close()
  expect(code).toBe(0)
  expect(out).toMatch(/migrations MISSING/)
})
