import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../platform/database/migrate.ts'
import { prepareCluster } from '../platform/database/roles.ts'
import { type EmbeddedPostgres, startPostgres } from '../platform/postgres/start-postgres.ts'
import { TEMPLATE_DATABASE } from '../testing/database.ts'
import { createTwoAccounts, type TwoAccounts } from './testing/two-accounts.ts'

const script = fileURLToPath(new URL('./testing/vendor-process.ts', import.meta.url))
const tenants = ['alpha', 'beta'] as const
const HOUR_MS = 3_600_000

let dataDir: string
let folder: string
let postgres: EmbeddedPostgres
let vendor: TwoAccounts
let worker: ChildProcess

const openPostgres = () =>
  startPostgres({ dataDir, settings: { fsync: 'off', synchronous_commit: 'off', max_connections: '60' } })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'outage-'))
  folder = await mkdtemp(join(tmpdir(), 'spool-'))
  postgres = await openPostgres()
  const { owner, runtime } = await prepareCluster(postgres.socketDir, postgres.superuser, TEMPLATE_DATABASE)
  await migrate(owner, runtime.user)
  // Each terminal has a row every quarter of a second, and none in the future.
  const simulation = { now: () => Date.now() - 6 * HOUR_MS, speed: 60 }
  vendor = await createTwoAccounts({ socketDir: postgres.socketDir, simulation })
  startVendorProcess()
})
afterAll(async () => {
  await killWorker()
  await vendor.close()
  await postgres.stop()
})

const startVendorProcess = () => {
  worker = fork(script, [JSON.stringify({ connection: vendor.runtime, folder })])
}

const killWorker = async () => {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const gone = once(worker, 'exit')
  worker.kill('SIGKILL')
  await gone
}

const listSpooled = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))

/** The samples of the stream, without the newest values that a feed requests before its first batch. */
const countSamples = async (tenantId: string) => {
  const [row] = await vendor.rows<{ count: number }>(
    tenantId,
    `select (select count(*) from samples)
       - (select coalesce(sum(terminal_rows), 0) from telemetry_batches where kind = 'newest') as count`,
  )
  return Number(row?.count)
}

const countDelivered = (tenantId: (typeof tenants)[number]) => {
  const stream = vendor.simulator.simulation.credentials[tenants.indexOf(tenantId)]?.stream
  const counts = stream?.countTerminalRows(stream.deliveredUntilMs()) ?? new Map<string, number>()
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

const untilMoreIsStored = async () => {
  for (const tenantId of tenants) {
    const before = await countSamples(tenantId)
    await expect.poll(() => countSamples(tenantId)).toBeGreaterThan(before)
  }
}

/** Every row that the vendor has delivered is stored once, and each batch is applied. */
const expectNothingLost = async () => {
  vendor.simulator.play('stream-404')
  for (const tenantId of tenants) {
    await expect.poll(async () => (await countSamples(tenantId)) - countDelivered(tenantId)).toBe(0)
    const twice = 'select response_id from telemetry_batches group by 1 having count(*) > 1 and response_id is not null'
    expect(await vendor.rows(tenantId, twice)).toEqual([])
    expect(await vendor.rows(tenantId, 'select id from telemetry_batches where failed is not null')).toEqual([])
  }
  await expect.poll(listSpooled).toEqual([])
  vendor.simulator.stopScenario('stream-404')
}

/** Stands in for an unavailable PostgreSQL: closes each connection immediately. Resolves after this many attempts. */
const refuseConnections = async (count: number) => {
  let tries = 0
  const enough = Promise.withResolvers<void>()
  const server = createServer((socket) => {
    socket.destroy()
    if (++tries === count) enough.resolve()
  })
  mkdirSync(postgres.socketDir, { recursive: true })
  const path = join(postgres.socketDir, '.s.PGSQL.5432')
  rmSync(path, { force: true })
  server.listen(path)
  await enough.promise
  server.close()
  await once(server, 'close')
}

test('an outage of the database far longer than every retry loses and doubles no telemetry', async () => {
  await untilMoreIsStored()
  await postgres.stop()
  await refuseConnections(80)
  expect(listSpooled().length).toBeGreaterThan(0)
  postgres = await openPostgres()
  await untilMoreIsStored()
  await expectNothingLost()
})

test('kill -9 of the worker during the outage loses nothing: its successor stores what it left on disk', async () => {
  await untilMoreIsStored()
  await postgres.stop()
  await expect.poll(() => listSpooled().length).toBeGreaterThan(0)
  await refuseConnections(20)
  await killWorker()
  expect(listSpooled().length).toBeGreaterThan(0)
  postgres = await openPostgres()
  startVendorProcess()
  await untilMoreIsStored()
  await expectNothingLost()
})

test('a database that has no room for a row gets it once it has, also from the successor of a killed worker', async () => {
  await untilMoreIsStored()
  await vendor.superuser.query(`
    create function refuse_for_lack_of_space() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger refuse before insert or update on telemetry_batches
      execute function refuse_for_lack_of_space()`)
  await expect.poll(() => listSpooled().length).toBe(tenants.length)
  await killWorker()
  startVendorProcess()
  await expect.poll(() => listSpooled().length).toBe(tenants.length)
  await vendor.superuser.query('drop trigger refuse on telemetry_batches')
  await untilMoreIsStored()
  await expectNothingLost()
})

test('a worker killed while it stores a response loses nothing', async () => {
  await untilMoreIsStored()
  await vendor.superuser.query('begin; lock table telemetry_batches in exclusive mode')
  await expect.poll(() => listSpooled().length).toBe(tenants.length)
  await killWorker()
  await vendor.superuser.query('commit')
  startVendorProcess()
  await untilMoreIsStored()
  await expectNothingLost()
})
