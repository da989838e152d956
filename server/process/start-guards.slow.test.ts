import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../platform/database/migrate.ts'
import { prepareCluster, refuseOldServer } from '../platform/database/roles.ts'
import { startPostgres } from '../platform/postgres/start-postgres.ts'
import { TEST_SECRET_KEY } from '../testing/database.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { readConfig } from './config.ts'
import { openInstallation } from './installation.ts'

const entry = fileURLToPath(new URL('./main.ts', import.meta.url))

let server: TestServer
let superuser: pg.Client
beforeAll(async () => {
  server = await startTestServer()
  server.services.now = () => new Date()
  superuser = await server.connectSuperuser()
})
afterAll(() => server.close())

const formatUrl = ({ host = '', user, database }: pg.PoolConfig) =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`

const startAndWaitForExit = async (environment: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [entry, 'serve'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: formatUrl(server.runtime),
      SECRET_KEY: TEST_SECRET_KEY,
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const err = await text(child.stderr)
  return { code: await exited, err }
}

const readReadiness = () => server.call('a', 'GET', '/readyz')

test('a server that has become a read-only standby is not ready', async () => {
  const { database } = server.runtime
  const setReadOnly = async (value: string) => {
    await superuser.query(`alter database "${database}" set default_transaction_read_only = ${value}`)
    await superuser.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and datname = $2',
      [server.runtime.user, database],
    )
  }
  await setReadOnly('on')
  await expect
    .poll(async () => (await readReadiness()).body)
    .toEqual({ status: 'not ready', reason: 'the database is read-only, like a standby server' })
  await superuser.query('set default_transaction_read_only = off')
  await setReadOnly('off')
  await expect.poll(async () => (await readReadiness()).status).toBe(200)
})

test('a database server that refuses TLS is named as the reason', async () => {
  const plain = createServer((socket) => socket.once('data', () => socket.end('N')))
  plain.listen(0, '127.0.0.1')
  await once(plain, 'listening')
  const { port } = plain.address() as AddressInfo
  const { code, err } = await startAndWaitForExit({
    DATABASE_URL: `postgres://someone:secret@127.0.0.1:${port}/x?sslmode=require`,
  })
  plain.close()
  expect(code).toBe(1)
  expect(err).toContain('The database of DATABASE_URL cannot be used: it does not speak TLS;')
  expect(err).not.toContain('secret')
  expect(err).not.toContain('    at ')
})

test('the setting with a wrong password, a role without rights or another database is named', async () => {
  const other = `${server.runtime.database}_other`
  await superuser.query(`create database "${other}"`)
  await superuser.query('create role stranger login')
  const stranger = formatUrl({ ...server.runtime, user: 'stranger' })
  const starts = [
    { DATABASE_OWNER_URL: formatUrl({ ...server.owner, user: 'nobody' }) },
    { DATABASE_URL: formatUrl({ ...server.runtime, database: 'nothing' }) },
    { DATABASE_URL: stranger },
    { DATABASE_OWNER_URL: stranger },
    { DATABASE_URL: formatUrl({ ...server.runtime, database: other }), DATABASE_OWNER_URL: formatUrl(server.owner) },
  ]
  const [owner, missing, reader, migrator, apart] = await Promise.all(starts.map(startAndWaitForExit))
  await superuser.query(`drop database "${other}"`)
  await superuser.query('drop role stranger')
  expect(owner?.err).toContain('The database of DATABASE_OWNER_URL cannot be used: ')
  expect(missing?.err).toContain('The database of DATABASE_URL cannot be used: there is no such database')
  expect(reader?.err).toContain('The database of DATABASE_URL cannot be used: its role lacks a privilege;')
  expect(migrator?.err).toContain('The database of DATABASE_OWNER_URL cannot be used: its role lacks a privilege;')
  expect(apart?.err).toContain('DATABASE_URL and DATABASE_OWNER_URL lead to different databases.')
  for (const start of [owner, missing, reader, migrator, apart]) {
    expect(start?.code).toBe(1)
    expect(start?.err).not.toContain('    at ')
  }
})

test('a PostgreSQL that is too old is refused before anything is changed', async () => {
  await expect(refuseOldServer(server.runtime)).resolves.toBeUndefined()
  await expect(refuseOldServer(server.runtime, 990_000)).rejects.toThrow(
    /^PostgreSQL \d\S* is too old\. Upgrade it to 99 or newer\.$/,
  )
})

test('a version that is older than the schema neither starts nor stays ready', async () => {
  expect((await readReadiness()).status).toBe(200)
  await superuser.query("insert into schema_migrations (name, timestamp) values ('9999_future', '')")
  const environments = [{}, { DATABASE_OWNER_URL: formatUrl(server.owner) }]
  for (const { code, err } of await Promise.all(environments.map(startAndWaitForExit))) {
    expect(err).toContain('A newer version has changed the database: this version does not know 9999_future.')
    expect(code).toBe(1)
  }
  expect(await readReadiness()).toMatchObject({
    status: 503,
    body: { reason: expect.stringContaining('a newer version has changed the database') },
  })
  await superuser.query("delete from schema_migrations where name = '9999_future'")
  expect((await readReadiness()).status).toBe(200)
})

test('a process whose clock differs from the database’s is not ready, and says by how much', async () => {
  const shift = async (seconds: number) => {
    server.services.now = () => new Date(Date.now() + seconds * 1000)
    const { status, body } = await readReadiness()
    return { status, reason: body.reason }
  }
  expect(await shift(3_600)).toEqual({
    status: 503,
    reason: 'the clock of this process is 3600 s ahead of that of the database',
  })
  expect(await shift(-3_600)).toEqual({
    status: 503,
    reason: 'the clock of this process is 3600 s behind that of the database',
  })
  expect((await shift(0)).status).toBe(200)
})

/** A PostgreSQL that replays its log until `release`, and accepts no connections meanwhile. */
const startRecovering = async () => {
  const home = await mkdtemp(join(tmpdir(), 'dishboard-recovering-'))
  chmodSync(home, 0o711)
  const dataDir = join(home, 'postgres')
  const settings = { fsync: 'off', shared_buffers: '16MB' }
  const first = await startPostgres({ dataDir, settings })
  const { owner, runtime } = await prepareCluster(first.socketDir, first.superuser)
  await migrate(owner, runtime.user)
  await first.stop()
  const signal = join(dataDir, 'cluster', 'recovery.signal')
  writeFileSync(signal, '')
  chmodSync(signal, 0o666)
  const released = join(home, 'released')
  const second = startPostgres({
    dataDir,
    settings: { ...settings, restore_command: `while [ ! -e '${released}' ]; do sleep 0.05; done; exit 1` },
  })
  const readSocketDir = () => {
    try {
      return readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[4] || undefined
    } catch {
      return undefined
    }
  }
  await expect.poll(readSocketDir).toBeDefined()
  return {
    databaseUrl: formatUrl({ ...runtime, host: readSocketDir() as string }),
    release: () => writeFileSync(released, ''),
    stop: async () => {
      writeFileSync(released, '')
      await (await second).stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

test('a start while the database recovers waits and says so', async () => {
  const recovering = await startRecovering()
  try {
    const config = readConfig({ DATABASE_URL: recovering.databaseUrl, SECRET_KEY: TEST_SECRET_KEY })
    const messages: string[] = []
    const opening = openInstallation(config, { onWaiting: (message) => messages.push(message) })
    await Promise.race([opening, expect.poll(() => messages).not.toEqual([])])
    expect(messages[0]).toMatch(/^The database accepts no connections yet \(the database system is .*\); waiting/)
    const stopping = new AbortController()
    const given = openInstallation(config, { onWaiting: () => stopping.abort(), stopping: stopping.signal })
    await expect(given).rejects.toThrow('aborted')
    recovering.release()
    await (await opening).close()
  } finally {
    await recovering.stop()
  }
})
