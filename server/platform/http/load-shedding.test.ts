import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { limitConcurrency, MAX_IN_FLIGHT, MAX_WAITING_FOR_DATABASE } from './load-shedding.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('refuses requests at once while too many wait for the database', async () => {
  const { pool } = server.database
  const clients: Promise<pg.PoolClient>[] = []
  while (pool.waitingCount < MAX_WAITING_FOR_DATABASE) clients.push(pool.connect())
  const refused = await server.call('a', 'GET', '/api/config/')
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, body: { error: 'busy' } })
  expect(await server.call('a', 'GET', '/healthz')).toMatchObject({ status: 200 })
  for (const client of clients) (await client).release()
  expect(await server.call('a', 'GET', '/api/config/')).toMatchObject({ status: 200 })
})

test('counts requests that wait for authentication', async () => {
  const { readInOneRoundTrip, countWaiting } = server.database
  const read = () => readInOneRoundTrip({ tenantId: 'a' }, 'nap', sql<object>`select pg_sleep(0.02)`)
  const reads = Array.from({ length: MAX_WAITING_FOR_DATABASE + 10 }, read)
  expect(countWaiting()).toBeGreaterThanOrEqual(MAX_WAITING_FOR_DATABASE)
  expect(await server.call('a', 'GET', '/api/config/')).toMatchObject({ status: 503 })
  await Promise.all(reads)
  expect(await server.call('a', 'GET', '/api/config/')).toMatchObject({ status: 200 })
})

test('limits the requests in flight, whatever they wait for', async () => {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const inFlight = Array.from({ length: MAX_IN_FLIGHT }, () => limitConcurrency(() => finished))
  expect(await server.call('a', 'GET', '/api/config/')).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
  finish()
  await Promise.all(inFlight)
  expect(await server.call('a', 'GET', '/api/config/')).toMatchObject({ status: 200 })
})
