import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { executive, type Plan, type PlanMonths } from '#contract/executive.ts'
import { createFleet } from '../plans/testing/fleet.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let admin: string
let lineIds: number[]

// Prices whose sums are not exact in binary.
const PRICES = [6_510, 16_533, 28_999, 10, 1]

beforeAll(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-11-15T12:00:00Z')
  const fleet = await createFleet(server.database, 'a')
  lineIds = []
  for (let index = 0; index < 60; index++)
    lineIds.push(
      await fleet.addLine({
        number: `a-${index}`,
        group: index % 2 === 0 ? 'north' : 'South 2',
        priceCents: PRICES[index % PRICES.length] as number,
      }),
    )
  await fleet.addLine({ number: 'canadian', priceCents: null })
  await fleet.setCycle(lineIds[0] as number, '2026-10-13', '2026-11-13', 30)
  await fleet.setCycle(lineIds[0] as number, '2026-11-13', '2026-12-13', 20.5)
  // The figures are from noon of the third day of the cycle: two full days and half a day of the last one count.
  await fleet.use(lineIds[0] as number, '2026-10-13', [4, 2, 8, 16], new Date('2026-11-15T12:00:00Z'))
  const others = await createFleet(server.database, 'b')
  await others.addLine({ number: 'b-1', group: 'theirs' })
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
  await server.addUser('a')
  admin = (await server.signIn('a', 'admin@mail.example')).access
  const pool = {
    plan_name: 'NORTH-Mixed',
    usage_limit: 1000,
    assigned_service_lines: ['a-0', 'a-2', 'a-4', 'a-6', 'a-8', 'a-10', 'a-12'],
  }
  await server.call('a', 'POST', '/api/virtual-plan/', { token: admin, body: { pool_details: pool } })
  await server.call('a', 'POST', '/api/virtual-plan/', {
    token: admin,
    body: { pool_details: { plan_name: 'Spare', usage_limit: 7, assigned_service_lines: [] } },
  })
})
afterAll(() => server.close())

const plans = async (path = '/api/executive-summary/') =>
  (await server.call('a', 'GET', path, { token: admin })).body.plans as Plan[]

test('puts every line into exactly one plan and lists each pool as a plan, even an empty one', async () => {
  const all = await plans()
  const numbers = all.flatMap(({ service_lines }) => service_lines.map((line) => line.service_line))
  expect(numbers).toHaveLength(61)
  expect(new Set(numbers).size).toBe(61)
  const pool = all.find(({ plan_name }) => plan_name === 'NORTH-Mixed')
  expect(pool).toMatchObject({ customer_group: 'north', usage_limit: 1000, virtual_plan_id: expect.any(String) })
  expect(pool?.service_lines).toHaveLength(7)
  expect(all.find(({ plan_name }) => plan_name === 'Spare')).toMatchObject({ usage_limit: 7, service_lines: [] })
})

test('plans are sent as the contract describes them, compressed as the client accepts', async () => {
  const read = async (encoding: string) => {
    const headers = { host: 'a.example', authorization: `Bearer ${admin}`, 'accept-encoding': encoding }
    return server.app.inject({ method: 'GET', url: '/api/executive-summary/', headers })
  }
  const plain = await read('identity')
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(z.decode(executive.summary.output, plain.json())).toEqual(plain.json())
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }
  for (const [encoding, decompress] of Object.entries(unpack)) {
    const packed = await read(encoding)
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      vary: expect.stringContaining('accept-encoding'),
    })
    expect(decompress(packed.rawPayload).toString()).toBe(plain.body)
  }
})

test('price times number of lines equals the total cost to the cent', async () => {
  let cents = 0
  for (const { price_usd, service_lines } of await plans())
    if (price_usd !== null) {
      const cost = price_usd * service_lines.length * 100
      expect(Math.abs(cost - Math.round(cost))).toBeLessThan(1e-6)
      cents += Math.round(cost)
    }
  expect(cents).toBe(lineIds.reduce((sum, _, index) => sum + (PRICES[index % PRICES.length] as number), 0))
})

test('does not treat a price in another currency as dollars', async () => {
  const canadian = (await plans()).find(({ service_lines }) =>
    service_lines.some(({ service_line }) => service_line === 'canadian'),
  )
  expect(canadian?.price_usd).toBeNull()
})

test('a line shows its kit, its status and its usage, and that of the previous cycle by the same time', async () => {
  const lines = (await plans()).flatMap(({ service_lines }) => service_lines)
  expect(lines.find(({ service_line }) => service_line === 'a-0')).toEqual({
    service_line: 'a-0',
    kit_number: 'KIT-a-0',
    status: 'no data',
    total_usage: 20.5,
    last_month_usage: 30,
    last_month_to_date: 10,
    nickname: 'Line a-0',
    name: 'Line a-0',
    usage_limit: 50,
  })
})

test('an account group has only its own lines, and the error for an unknown group names it', async () => {
  const count = async (group: string) =>
    (await plans(`/api/account-group-plans/${encodeURIComponent(group)}/`)).flatMap((plan) => plan.service_lines).length
  expect(await count('US Local Pool')).toBe(61)
  expect(await count('Canadian Pool Local')).toBe(0)
  const unknown = await server.call('a', 'GET', '/api/account-group-plans/Nobody/', { token: admin })
  expect([unknown.status, unknown.body.message]).toEqual([
    400,
    'group: Please choose one of: Canadian Pool Local, US Pool Global, US Local Pool, Dishboard.',
  ])
})

interface MonthsBody {
  plans: PlanMonths[]
}
const readMonths = async (search = '') =>
  (await server.call('a', 'GET', `/api/executive-months/${search}`, { token: admin })).body as MonthsBody
const sum = ({ plans: all }: MonthsBody, read: (plan: PlanMonths) => number | undefined) =>
  all.reduce((total, plan) => total + (read(plan) ?? 0), 0)

test('adds up data and prices by month, and compares as many whole days of the month before', async () => {
  const body = await readMonths()
  expect(body).toMatchObject({
    month: '2026-11',
    running: '2026-11',
    comparedDays: 14,
    months: ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'],
    firstDays: [null, null, null, null, '2026-10-13', null],
  })
  expect(sum(body, ({ data_GB }) => data_GB[4])).toBe(30)
  expect(sum(body, ({ before_GB }) => before_GB)).toBe(6)
  // All lines are in service in the current month; in the previous one, only one had a billing cycle.
  expect(sum(body, ({ lines }) => lines[5])).toBe(61)
  expect(sum(body, ({ unpriced_lines }) => unpriced_lines[5])).toBe(1)
  expect(sum(body, ({ lines }) => lines[4])).toBe(1)
  expect(sum(body, ({ price_usd }) => price_usd[4])).toBe(65.1)
  const cents = lineIds.reduce((total, _, index) => total + (PRICES[index % PRICES.length] as number), 0)
  expect(sum(body, ({ price_usd }) => price_usd[5])).toBeCloseTo(cents / 100, 6)
})

test('shows a month that is over in full, and no month that has not begun', async () => {
  const october = await readMonths('?month=2026-10')
  expect(october).toMatchObject({ month: '2026-10', running: '2026-11', comparedDays: 30 })
  expect(sum(october, ({ compared_GB }) => compared_GB)).toBe(30)
  expect(await readMonths('?month=2027-03')).toMatchObject({ month: '2026-11' })
  expect(sum(await readMonths('?group=Dishboard'), ({ lines }) => lines[5])).toBe(0)
  expect(JSON.stringify(october)).not.toContain('THEIRS')
})

test('the month is a PDF too, for administrators only', async () => {
  const get = (token: string) =>
    server.app.inject({
      url: '/api/executive-months/pdf/?month=2026-10',
      headers: { 'x-tenant': 'a', authorization: `Bearer ${token}`, host: 'localhost' },
    })
  const response = await get(admin)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(response.headers['content-disposition']).toBe('attachment; filename="executive-2026-10.pdf"')
  expect(response.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  const { access } = await server.signIn('a')
  expect((await get(access)).statusCode).toBe(403)
})

test('only administrators may read it, and it contains nothing of another tenant', async () => {
  const { access } = await server.signIn('a')
  expect((await server.call('a', 'GET', '/api/executive-summary/', { token: access })).status).toBe(403)
  expect(JSON.stringify(await plans())).not.toContain('b-1')
})
