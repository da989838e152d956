import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive, listPostgresProcesses, waitUntil } from './processes.ts'
import { type EmbeddedPostgres, startPostgres } from './start-postgres.ts'
import type { PostgresEvent } from './supervise.ts'

// Durable, unlike in other tests: these check what survives a kill.
const settings = { shared_buffers: '16MB' }
let home: string
let dataDir: string
let server: EmbeddedPostgres | undefined
let child: ChildProcess | undefined

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'dishboard-pg-'))
  dataDir = join(home, 'data')
})

afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await server?.stop()
  server = undefined
  child = undefined
  rmSync(home, { recursive: true, force: true })
})

const startHere = async () => {
  server = await startPostgres({ dataDir, settings })
  return server
}

/** Another node process that starts the server and can be killed. */
const startInChild = async () => {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(import.meta.resolve('./start-postgres.ts'))})
    const { socketDir } = await startPostgres(${JSON.stringify({ dataDir, settings })})
    console.log(socketDir)
    setInterval(() => {}, 1000)`
  child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [socketDir] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  return String(socketDir).trim()
}

const killChild = async () => {
  child?.kill('SIGKILL')
  await once(child as ChildProcess, 'exit')
}

const postmasterPid = () => Number(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])

const connect = async (socketDir: string) => {
  const client = new pg.Client({ host: socketDir, user: 'postgres', database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  return client
}

const query = async (socketDir: string, sql: string) => {
  const client = await connect(socketDir)
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const processes = () => listPostgresProcesses(join(dataDir, 'cluster'), -1)

test('a server that outlived its supervisor is adopted and can be stopped', async () => {
  const socketDir = await startInChild()
  await query(socketDir, 'create table stored as select 7 as n')
  const pid = postmasterPid()
  await killChild()

  const adopted = await startHere()
  expect(adopted).toMatchObject({ adopted: true, socketDir })
  expect(postmasterPid()).toBe(pid)
  expect(await query(adopted.socketDir, 'select n from stored')).toEqual([{ n: 7 }])
  await adopted.stop()
  server = undefined
  expect(processes()).toEqual([])
  expect(existsSync(socketDir)).toBe(false)
})

test('a server left over with other settings is replaced', async () => {
  await startInChild()
  await killChild()
  server = await startPostgres({ dataDir, settings: { ...settings, work_mem: '9MB' } })
  expect(server.adopted).toBe(false)
  expect(await query(server.socketDir, 'show work_mem')).toEqual([{ work_mem: '9MB' }])
})

test('committed data survives a kill of every process at once', async () => {
  const socketDir = await startInChild()
  await query(socketDir, 'create table stored as select generate_series(1, 1000) as n')
  child?.kill('SIGKILL')
  for (const pid of processes()) process.kill(pid, 'SIGKILL')

  const recovered = await startHere()
  expect(recovered.adopted).toBe(false)
  expect(await query(recovered.socketDir, 'select count(*)::int as n from stored')).toEqual([{ n: 1000 }])
})

test('a killed server whose session is still busy is replaced', async () => {
  const socketDir = await startInChild()
  const busy = await connect(socketDir)
  const lost = busy.query('select count(*) from generate_series(1, 100000000000)').catch(() => 'lost')
  const active = "select 1 from pg_stat_activity where state = 'active' and query like '%100000000000)'"
  while ((await query(socketDir, active)).length === 0);
  const pid = postmasterPid()
  await killChild()
  process.kill(pid, 'SIGKILL')

  const recovered = await startHere()
  expect(recovered.adopted).toBe(false)
  expect(await lost).toBe('lost')
  expect(await query(recovered.socketDir, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a database that is killed while we run comes back by itself at the same address', async () => {
  const { socketDir, onExit } = await startHere()
  await query(socketDir, 'create table stored as select 7 as n')
  const events: PostgresEvent['kind'][] = []
  const back = new Promise((resolve) => {
    onExit(({ kind }) => {
      events.push(kind)
      if (kind !== 'died') resolve(kind)
    })
  })
  const pid = postmasterPid()
  process.kill(pid, 'SIGKILL')
  await back
  expect(events).toEqual(['died', 'restarted'])
  expect(isAlive(pid)).toBe(false)
  expect(await query(socketDir, 'select n from stored')).toEqual([{ n: 7 }])
})

test('a stop while the database is down leaves nothing behind', async () => {
  const { socketDir, stop } = await startHere()
  process.kill(postmasterPid(), 'SIGKILL')
  await stop()
  server = undefined
  expect(await waitUntil(() => processes().length === 0, 5000)).toBe(true)
  expect(existsSync(socketDir)).toBe(false)
})
