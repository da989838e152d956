import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { MAX_WAITING_FOR_DATABASE } from '../database/last-known.ts'
import { registerErrorHandler } from './http-errors.ts'
import { limitConcurrency, limitIdentification, MAX_IN_FLIGHT, registerLoadShedding } from './load-shedding.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test.each(['tenant_hosts', 'tenant_settings', 'schema_migrations'])(
  'visitors who request pages, links and readiness at any rate take few connections, even if reading %s takes long',
  async (table) => {
    const holder = await server.connectSuperuser()
    await holder.query(`begin; lock table ${table} in access exclusive mode`)
    const paths = ['/support', '/unsubscribe?token=x', '/open/x/terminal/x', '/readyz', '/brand/a/x.png']
    const requests = Array.from({ length: 2 * MAX_WAITING_FOR_DATABASE }, (_, at) =>
      server.app.inject({ url: paths[at % paths.length] as string, headers: { host: `${at % 2 ? 'a' : at}.example` } }),
    )
    try {
      const countBlocked = async () => (await holder.query('select from pg_locks where not granted')).rowCount
      await expect.poll(countBlocked).toBeGreaterThan(0)
      for (let turn = 0; turn < 100; turn++) await nextTurn()
      const { pool, countWaiting } = server.database
      expect({ waiting: countWaiting(), areFew: pool.totalCount - pool.idleCount < 5 }).toEqual({
        waiting: 0,
        areFew: true,
      })
    } finally {
      await holder.end()
    }
    await Promise.all(requests)
  },
)

test('refuses data calls at once while too many wait for the database, and still serves pages in the tenant’s look', async () => {
  const page = () => server.call('a', 'GET', '/support')
  const before = await page()
  const { body: config } = await server.call('a', 'GET', '/api/config/')
  // Names that visitors invent under another host displace nothing.
  for (let at = 0; at <= 1_000; at++) await server.call('b', 'GET', `/api/config/?tenant=x${at}`)
  const { pool } = server.database
  const clients: Promise<pg.PoolClient>[] = []
  // Some of these get a connection that is currently idle.
  while (pool.waitingCount < MAX_WAITING_FOR_DATABASE + pool.options.max) clients.push(pool.connect())
  try {
    for (const path of ['/api/verify-token/', '/%61pi/verify-token/']) {
      const refused = await server.call('a', 'GET', path)
      expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, body: { error: 'busy' } })
    }
    expect(await server.call('a', 'GET', '/healthz')).toMatchObject({ status: 200 })
    expect(await server.call('a', 'GET', '/api/config/')).toMatchObject({ status: 200, body: config })
    expect((await page()).headers['content-security-policy']).toBe(before.headers['content-security-policy'])
  } finally {
    await Promise.all(
      clients.map((waiting) =>
        waiting.then(
          (client) => client.release(),
          () => {},
        ),
      ),
    )
  }
  expect(await server.call('a', 'GET', '/api/verify-token/')).toMatchObject({ status: 401 })
})

test('counts requests that wait for authentication', async () => {
  const { readInOneRoundTrip, countWaiting } = server.database
  const read = () => readInOneRoundTrip({ tenantId: 'a' }, 'nap', sql<object>`select pg_sleep(0.02)`)
  const reads = Array.from({ length: MAX_WAITING_FOR_DATABASE + 10 }, read)
  expect(countWaiting()).toBeGreaterThanOrEqual(MAX_WAITING_FOR_DATABASE)
  expect(await server.call('a', 'GET', '/api/verify-token/')).toMatchObject({ status: 503 })
  await Promise.all(reads)
  expect(await server.call('a', 'GET', '/api/verify-token/')).toMatchObject({ status: 401 })
})

/** Requests that are in flight until the test ends them. */
const holdRequests = () => {
  const inFlight: Promise<void>[] = []
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  return {
    add: (tenantId: string, count: number) => {
      for (let index = 0; index < count; index++) inFlight.push(limitConcurrency(tenantId, () => finished))
    },
    addIdentifying: (count: number) => {
      for (let index = 0; index < count; index++) inFlight.push(limitIdentification(() => finished))
    },
    end: async () => {
      finish()
      await Promise.all(inFlight)
    },
  }
}

/** A call that needs no session, but may be shed. */
const refresh = (tenant: string) => server.call(tenant, 'POST', '/api/token/refresh/', { body: { refresh: 'none' } })

test('limits the requests of a tenant in flight, whatever they wait for', async () => {
  const held = holdRequests()
  held.add('a', MAX_IN_FLIGHT)
  expect(await refresh('a')).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, body: { error: 'busy' } })
  expect(await server.call('a', 'GET', '/api/config/')).toMatchObject({ status: 200 })
  await held.end()
  expect(await refresh('a')).toMatchObject({ status: 401 })
})

test('a tenant that has all places does not shut out another, which gets its share and no more', async () => {
  const held = holdRequests()
  held.add('a', MAX_IN_FLIGHT)
  expect(await refresh('b')).toMatchObject({ status: 401 })
  held.add('b', MAX_IN_FLIGHT / 2)
  expect(await refresh('b')).toMatchObject({ status: 503 })
  await held.end()
  expect(await refresh('b')).toMatchObject({ status: 401 })
})

test('limits the requests whose sender is being found out', async () => {
  const held = holdRequests()
  held.addIdentifying(MAX_IN_FLIGHT)
  expect(await server.call('a', 'GET', '/api/verify-token/')).toMatchObject({ status: 503 })
  expect(await server.call('a', 'GET', '/api/config/')).toMatchObject({ status: 200 })
  await held.end()
  expect(await server.call('a', 'GET', '/api/verify-token/')).toMatchObject({ status: 401 })
})

test('while the event loop is late, only data calls are refused', async () => {
  const app = Fastify()
  registerErrorHandler(app)
  await registerLoadShedding(app, { countWaiting: () => 0 }, { maxEventLoopDelayMs: 20 })
  app.get('/page', async () => 'a page')
  app.get('/api/data', async () => 'data')
  app.get('/api/config', { config: { isNeverShed: true } }, async () => 'settings')
  await app.ready()
  let refused: Awaited<ReturnType<typeof app.inject>> | undefined
  while (refused?.statusCode !== 503) {
    const until = performance.now() + 100
    while (performance.now() < until);
    await nextTurn()
    refused = await app.inject('/api/data')
    for (const path of ['/page', '/api/config']) expect((await app.inject(path)).statusCode).toBe(200)
  }
  expect(refused.headers['retry-after']).toBe('2')
  expect(refused.json()).toMatchObject({ error: 'busy' })
  await app.close()
})
