import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartupError } from '../startup-error.ts'
import { type EmbeddedPostgres, startPostgres } from './start-postgres.ts'

const settings = { fsync: 'off', shared_buffers: '16MB' }
let home: string
let running: EmbeddedPostgres[]

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'dishboard-pg-'))
  running = []
})

afterEach(async () => {
  for (const server of running) await server.stop()
  rmSync(home, { recursive: true, force: true })
})

const start = async (dataDir: string) => {
  const server = await startPostgres({ dataDir, settings })
  running.push(server)
  return server
}

const stop = async (server: EmbeddedPostgres) => {
  running = running.filter((each) => each !== server)
  await server.stop()
}

const query = async (server: EmbeddedPostgres, sql: string) => {
  const client = new pg.Client({ host: server.socketDir, user: server.superuser, database: 'postgres' })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const startFailure = async (dataDir: string) => {
  const problem = await start(dataDir).catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(StartupError)
  const { message } = problem as StartupError
  expect(message).not.toContain('\n')
  return message
}

test('a first start makes a UTF-8 database with checksums and durable commits, reachable by its socket only', async () => {
  const server = await startPostgres({ dataDir: join(home, 'new/data'), settings: { shared_buffers: '16MB' } })
  running.push(server)
  const [row] = await query(
    server,
    `select current_setting('server_encoding') as encoding, current_setting('data_checksums') as checksums,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
      current_setting('listen_addresses') as addresses, current_setting('timezone') as zone`,
  )
  expect(row).toEqual({ encoding: 'UTF8', checksums: 'on', fsync: 'on', commits: 'on', addresses: '', zone: 'UTC' })
  expect(statSync(server.socketDir).mode & 0o777).toBe(0o700)
})

test('a process that ends without stopping its server takes it along', async () => {
  const dataDir = join(home, 'data')
  const script = `
    const { startPostgres } = await import(${JSON.stringify(new URL('start-postgres.ts', import.meta.url).href)})
    await startPostgres(${JSON.stringify({ dataDir, settings })})
    process.exit(3)`
  const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  expect(ended).toMatchObject({ status: 3 })
  await expect.poll(() => existsSync(join(dataDir, 'cluster/postmaster.pid'))).toBe(false)
  const next = await start(dataDir)
  expect(next.adopted).toBe(false)
})

test('a restart keeps the data, and a stop leaves no socket and no process file', async () => {
  const dataDir = join(home, 'data')
  const first = await start(dataDir)
  await query(first, "create table stored as select 'Utqiaġvik' as place")
  await stop(first)
  expect(existsSync(first.socketDir)).toBe(false)
  expect(readdirSync(dataDir).sort()).toEqual(['cluster', 'postgres.log'])
  expect(existsSync(join(dataDir, 'cluster/postmaster.pid'))).toBe(false)

  const second = await start(dataDir)
  expect(second.adopted).toBe(false)
  expect(await query(second, 'select place from stored')).toEqual([{ place: 'Utqiaġvik' }])
})

test('a folder that other users can pass through serves as well as one that they cannot', async () => {
  chmodSync(home, 0o711)
  const open = await start(join(home, 'data'))
  expect(await query(open, 'select 1 as one')).toEqual([{ one: 1 }])
  await stop(open)
  chmodSync(home, 0o700)
  const closed = await start(join(home, 'data'))
  expect(await query(closed, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a second start on the same data folder is refused, by whichever path it is named', async () => {
  const dataDir = join(home, 'data')
  const server = await start(dataDir)
  expect(await startFailure(join(home, 'data/../data'))).toMatch(
    /already running on the data folder .* \(process \d+\)/,
  )
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('an interrupted first start is repeated from the beginning', async () => {
  const dataDir = join(home, 'data')
  mkdirSync(join(dataDir, 'cluster.part'), { recursive: true })
  writeFileSync(join(dataDir, 'cluster.part/PG_VERSION'), '18\n')
  expect(await query(await start(dataDir), 'select 1 as one')).toEqual([{ one: 1 }])
  expect(existsSync(join(dataDir, 'cluster.part'))).toBe(false)
})

test('a database of another major version is refused and left alone', async () => {
  const cluster = join(home, 'data/cluster')
  mkdirSync(cluster, { recursive: true, mode: 0o700 })
  writeFileSync(join(cluster, 'PG_VERSION'), '15\n')
  expect(await startFailure(join(home, 'data'))).toMatch(/made by PostgreSQL 15, and this is 18/)
  expect(readdirSync(cluster)).toEqual(['PG_VERSION'])
})

test('a folder with something else in the place of the database is refused and left alone', async () => {
  const cluster = join(home, 'data/cluster')
  mkdirSync(cluster, { recursive: true })
  writeFileSync(join(cluster, 'holiday.jpg'), 'x')
  expect(await startFailure(join(home, 'data'))).toMatch(/is not a PostgreSQL data folder/)
  expect(readdirSync(cluster)).toEqual(['holiday.jpg'])
})

test('a data folder that is a file, or that may not be written, is named in one line', async () => {
  writeFileSync(join(home, 'file'), '')
  expect(await startFailure(join(home, 'file'))).toMatch(/is not a folder/)
  expect(await startFailure(join(home, 'file/data'))).toMatch(/is not a folder/)
  // Not even root can create a folder there.
  expect(await startFailure('/sys/dishboard')).toMatch(/cannot be read and written|read-only/)
})

test('a path too long for a socket gets a short private folder, gone after the stop', async () => {
  const server = await start(join(home, 'long-'.repeat(30)))
  expect(server.socketDir.length).toBeLessThan(60)
  expect(statSync(server.socketDir).mode & 0o777).toBe(0o700)
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  await stop(server)
  expect(existsSync(server.socketDir)).toBe(false)
})

test('a bad setting fails with the reason that PostgreSQL gives', async () => {
  const problem = await startPostgres({
    dataDir: join(home, 'data'),
    settings: { ...settings, wal_compression: 'zip' },
  }).catch((error: unknown) => error)
  expect(problem).toBeInstanceOf(StartupError)
  expect((problem as StartupError).message).toMatch(/invalid value for parameter "wal_compression"/)
})
