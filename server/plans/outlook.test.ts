import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { createFleet } from './testing/fleet.ts'

let server: TestServer
let admin: string
let user: string
let poolId: string

// The figures are from noon, so half of today remains.
const NOW = new Date('2026-11-15T12:00:00Z')
const steady = (gb: number, days: number) => new Array<number>(days).fill(gb)

beforeAll(async () => {
  server = await startTestServer()
  server.clock.now = NOW
  const fleet = await createFleet(server.database, 'a')
  const [big, small, fresh] = [
    await fleet.addLine({ number: 'big' }),
    await fleet.addLine({ number: 'small' }),
    await fleet.addLine({ number: 'fresh', group: 'south' }),
  ]
  for (const [line, gb, days] of [
    [big, 30, 45],
    [small, 10, 45],
    [fresh, 5, 6],
  ] as const) {
    const firstDay = days === 45 ? '2026-10-01' : '2026-11-09'
    await fleet.use(line, firstDay, [...steady(gb, days), gb / 2], NOW)
  }
  await fleet.setCycle(big, '2026-11-01', '2026-12-01', 435, 800)
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
  await server.addUser('a')
  admin = (await server.signIn('a', 'admin@mail.example')).access
  user = (await server.signIn('a')).access
  const pool_details = {
    plan_name: 'Pool',
    over_limit_behavior: 'Soft Cap',
    usage_limit: 1000,
    assigned_service_lines: ['big', 'small'],
  }
  const { body } = await server.call('a', 'POST', '/api/virtual-plan/', { token: admin, body: { pool_details } })
  poolId = body.virtual_plan_id
})
afterAll(() => server.close())

const get = (path: string, token = admin) => server.call('a', 'GET', `/api${path}`, { token })

test('forecasts how long a pool lasts with the usage of all its lines, and longer with one more bucket', async () => {
  const { body } = await get(`/virtual-plan/${poolId}/outlook/`)
  // 580 GB are used at noon, 420 GB remain at 40 GB a day.
  expect(body.forecast).toMatchObject({ known: true, reached: false })
  expect([body.forecast.earliest, body.forecast.latest]).toEqual(['2026-11-25', '2026-11-26'])
  expect(body.with_bucket).toMatchObject({ known: true, earliest: null })
})

const preview = (body: object, token = admin) => server.call('a', 'POST', '/api/virtual-plan-preview/', { token, body })

test('previews a change of limit, top-ups and lines, and saves nothing', async () => {
  const saved = (await get(`/virtual-plan/${poolId}/outlook/`)).body.forecast
  const form = { virtual_plan_id: poolId, usage_limit: 1000, assigned_service_lines: ['big', 'small'] }
  const same = (await preview(form)).body
  expect(same).toEqual({ used_GB: 580, limit_GB: 1000, cycle_end: '2026-12-01', forecast: saved })
  expect((await preview({ ...form, usage_limit: 500 })).body.forecast).toMatchObject({ reached: true })
  const topped = (await preview({ ...form, top_up_count: 1 })).body
  expect([topped.limit_GB, topped.forecast.earliest]).toEqual([1500, null])
  const fewer = (await preview({ ...form, assigned_service_lines: ['small'] })).body
  expect([fewer.used_GB, fewer.forecast.earliest]).toEqual([145, null])
  expect((await get(`/virtual-plan/${poolId}/outlook/`)).body.forecast).toEqual(saved)
})

test('previews a pool that does not exist yet, with the cycle of its lines', async () => {
  const { body } = await preview({ usage_limit: 1000, assigned_service_lines: ['big', 'nobody’s'] })
  expect(body).toMatchObject({ used_GB: 435, limit_GB: 1000, cycle_end: '2026-12-01', forecast: { known: true } })
})

test('a user without the permission gets no preview, and nobody that of a pool that is not there', async () => {
  const form = { usage_limit: 1000, assigned_service_lines: [] }
  expect((await preview(form, user)).status).toBe(403)
  expect((await preview({ ...form, virtual_plan_id: '999999' })).status).toBe(404)
})

test('lists lines by their share, with the forecast of their own data', async () => {
  const { body } = await get(`/virtual-plan/${poolId}/outlook/`)
  expect(body.lines.map(({ service_line }: { service_line: string }) => service_line)).toEqual(['big', 'small'])
  expect(body.lines[0].share).toBeCloseTo(0.75, 1)
  // The vendor's cycle of this line: 435 used, 365 left, 30 a day.
  expect(body.lines[0]).toMatchObject({ limit_GB: 800, forecast: { known: true, earliest: '2026-11-27' } })
  expect(body.lines[1]).toMatchObject({ limit_GB: null, forecast: { known: false } })
})

test('reports that a line is too new, and includes the forecast of its pool', async () => {
  const { body } = await get('/service-lines/Line%20fresh/outlook/')
  expect(body).toMatchObject({ pool_forecast: null, forecast: { known: false, reason: 'too few days', days: 0 } })
  for (const key of ['Line big', 'KIT-big', 'big']) {
    const found = await get(`/service-lines/${encodeURIComponent(key)}/outlook/`, user)
    expect(found.body).toMatchObject({ service_line: 'big', pool_forecast: { known: true, earliest: '2026-11-25' } })
  }
})

test('refuses a line of another group like one that does not exist', async () => {
  const foreign = await get('/service-lines/fresh/outlook/', user)
  const missing = await get('/service-lines/nothing/outlook/', user)
  expect(foreign.status).toBe(403)
  expect(foreign.body).toEqual(missing.body)
})

test('a name means the same line here as elsewhere: the one with this number first, and never a removed one', async () => {
  const fleet = await createFleet(server.database, 'a')
  const removed = await fleet.addLine({ number: 'removed' })
  const twin = await fleet.addLine({ number: 'twin' })
  await server.database.transaction({ tenantId: 'a' }, async (_, client) => {
    await client.query('update service_lines set removed_at = now() where id = $1', [removed])
    await client.query("update service_lines set nickname = 'small' where id = $1", [twin])
  })
  expect((await get('/service-lines/removed/outlook/')).status).toBe(403)
  expect((await get('/service-lines/small/outlook/')).body).toMatchObject({ service_line: 'small' })
})
