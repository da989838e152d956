import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listEntries } from '../audit/queries.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { createFleet } from './testing/fleet.ts'

let server: TestServer
let admin: string
let planner: string
let stranger: string
const path = '/api/virtual-plan/'

beforeAll(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-11-15T12:00:00Z')
  for (const tenant of ['a', 'b']) {
    const fleet = await createFleet(server.database, tenant)
    for (const number of ['1', '2', '3', '4', '5', '6', '7', '8', '9'])
      await fleet.addLine({ number: `${tenant}-${number}`, group: Number(number) > 6 ? 'south' : 'north' })
    await server.addUser(tenant, { email: 'admin@mail.example', role: 'admin' })
  }
  const plannerId = await server.addUser('a', { email: 'planner@mail.example' })
  await server.addUser('a', { email: 'user@mail.example' })
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db
      .insertInto('feature_grants')
      .values({ tenant_id: 'a', user_id: plannerId, item: 'plan_manager', value: 'true' })
      .execute(),
  )
  admin = (await server.signIn('a', 'admin@mail.example')).access
  planner = (await server.signIn('a', 'planner@mail.example')).access
  stranger = (await server.signIn('b', 'admin@mail.example')).access
})
afterAll(() => server.close())

const form = (more: object = {}) => ({
  plan_name: 'NORTH-Schools',
  over_limit_behavior: 'Soft Cap',
  usage_limit: 1000,
  assigned_service_lines: [] as unknown[],
  ...more,
})
const create = async (more: object = {}, token = admin) =>
  server.call('a', 'POST', path, { token, body: { pool_details: form(more) } })
const save = async (details: object, { token = admin, key }: { token?: string; key?: string } = {}) =>
  server.call('a', 'PATCH', path, {
    token,
    body: { pool_details: details },
    ...(key && { headers: { 'idempotency-key': key } }),
  })
const edit = (pool: { virtual_plan_id: string; version: number }, more: object = {}) => ({
  ...form(),
  virtual_plan_id: pool.virtual_plan_id,
  usage_limit_next_month: 1000,
  version: pool.version,
  ...more,
})
const list = async (token = admin) => (await server.call('a', 'GET', path, { token })).body.data

describe('a pool', () => {
  test('is created with its lines and comes back in the list as the product writes it', async () => {
    const { status, body } = await create({ assigned_service_lines: ['a-1', { service_line: 'a-2' }] })
    expect(status).toBe(200)
    const [pool] = (await list()).filter(({ virtual_plan_id }: typeof body) => virtual_plan_id === body.virtual_plan_id)
    expect(pool).toMatchObject({
      plan_name: 'NORTH-Schools',
      over_limit_behavior: 'Soft Cap',
      usage_limit: [{ dataBlockType: 'RecurringPerBillingCycle', totalAmountGB: 1000 }],
      usage_limit_next_month: [{ dataBlockType: 'RecurringPerBillingCycle', totalAmountGB: 1000 }],
      assigned_service_lines: [
        { service_line: 'a-1', nickname: 'Line a-1', kit_number: 'KIT-a-1' },
        { service_line: 'a-2', nickname: 'Line a-2', kit_number: 'KIT-a-2' },
      ],
      cycle_start: '2026-11-01',
      cycle_end: '2026-12-01',
    })
    const free = (await server.call('a', 'GET', '/api/vp-service-line', { token: admin })).body.data
    expect(free.map((line: { service_line: string }) => line.service_line)).not.toContain('a-1')
  })

  test('is a Hard Cap by default', async () => {
    const { body } = await create({ over_limit_behavior: undefined })
    expect(body.over_limit_behavior).toBe('Hard Cap')
  })

  test.each(['', ' ', '1.5', '1e3', '0x10', '-5', '12abc', '١٢', 0, 1.5, 10_000_001, null, true])(
    'takes no limit of %j',
    async (usage_limit) => {
      const { status, body } = await create({ usage_limit })
      expect(status).toBe(400)
      expect(body.message).toBe('pool_details.usage_limit: Please enter a whole number from 1 to 10,000,000.')
    },
  )

  test('takes digits as text', async () => {
    expect((await create({ usage_limit: '2048' })).body.total_limit).toBe(2048)
  })

  test('needs a name of at most 100 characters and on an edit the limit of next month', async () => {
    expect((await create({ plan_name: '  ' })).status).toBe(400)
    expect((await create({ plan_name: 'x'.repeat(101) })).status).toBe(400)
    const { body } = await create()
    const { usage_limit_next_month: _, ...without } = edit(body)
    expect((await save(without)).body.message).toContain('usage_limit_next_month')
  })
})

describe('a line', () => {
  test('is in one pool at a time', async () => {
    const first = (await create({ assigned_service_lines: ['a-3'] })).body
    const second = await create({ assigned_service_lines: ['a-3'] })
    expect(second).toMatchObject({ status: 409, body: { message: 'Service line a-3 is in another pool already.' } })
    await save(edit(first))
    expect((await create({ assigned_service_lines: ['a-3'] })).status).toBe(200)
  })

  test('goes to one of two pools that are created with it at once', async () => {
    const responses = await Promise.all(['x', 'y'].map(() => create({ assigned_service_lines: ['a-4', 'a-5'] })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('of another tenant, of another group or that does not exist is not found', async () => {
    for (const number of ['b-1', 'nothing']) {
      const { status, body } = await create({ assigned_service_lines: [number] })
      expect([status, body.message]).toEqual([400, `assigned_service_lines: there is no service line ${number}.`])
    }
    expect((await create({ assigned_service_lines: ['a-7'] }, planner)).status).toBe(400)
  })
})

describe('a save', () => {
  test('of an older version is refused and changes nothing', async () => {
    const pool = (await create()).body
    const first = await save(edit(pool, { plan_name: 'First' }))
    expect(first.body.version).toBe(pool.version + 1)
    expect((await save(edit(pool, { plan_name: 'Second' }))).status).toBe(409)
    const stored = (await list()).find((each: typeof pool) => each.virtual_plan_id === pool.virtual_plan_id)
    expect(stored.plan_name).toBe('First')
  })

  test('succeeds once when several come at once', async () => {
    const pool = (await create()).body
    const responses = await Promise.all([1, 2, 3].map((limit) => save(edit(pool, { usage_limit: limit }))))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('is audited with what was before and after', async () => {
    const pool = (await create({ plan_name: 'Audited' })).body
    await save(edit(pool, { plan_name: 'Audited', usage_limit: 7, assigned_service_lines: ['a-9'] }))
    const [entry] = await server.database.transaction({ tenantId: 'a' }, (db) =>
      listEntries(db, 'a', { person: 'Audited' }, 1),
    )
    expect(entry).toMatchObject({
      performer: 'admin@mail.example',
      action: 'pool.update',
      details: { before: { limitGb: 1000 }, after: { limitGb: 7 }, added: ['a-9'], removed: [] },
    })
    await save(edit({ ...pool, version: pool.version + 1 }))
  })
})

describe('a top-up', () => {
  test('adds 500 GB each, dated, to this cycle', async () => {
    const pool = (await create()).body
    const { body } = await save(edit(pool, { top_up_count: 2 }))
    expect(body.total_limit).toBe(2000)
    expect(body.usage_limit.slice(1)).toEqual([
      { dataBlockType: 'top_up', totalAmountGB: 500, date: '11/15/26' },
      { dataBlockType: 'top_up', totalAmountGB: 500, date: '11/15/26' },
    ])
  })

  test('is bought once per Idempotency-Key, also when the requests come together', async () => {
    const pool = (await create()).body
    const details = edit(pool, { top_up_count: 1 })
    const responses = await Promise.all([1, 2, 3].map(() => save(details, { key: 'one' })))
    expect(responses.map(({ status, body }) => [status, body.total_limit])).toEqual([
      [200, 1500],
      [200, 1500],
      [200, 1500],
    ])
    expect((await save({ ...details, top_up_count: 2 }, { key: 'one' })).status).toBe(409)
    expect((await save(edit(responses[0]?.body, { top_up_count: 1 }), { key: 'two' })).body.total_limit).toBe(2000)
  })

  test('that failed may be tried again under its key', async () => {
    const pool = (await create()).body
    const bad = edit(pool, { top_up_count: 1, assigned_service_lines: ['nothing'] })
    expect((await save(bad, { key: 'three' })).status).toBe(400)
    expect((await save(edit(pool, { top_up_count: 1 }), { key: 'three' })).body.total_limit).toBe(1500)
  })

  test.each([0, 101, '1.5', -1])('of %j buckets is refused', async (top_up_count) => {
    const pool = (await create()).body
    expect((await save(edit(pool, { top_up_count }))).status).toBe(400)
  })

  test('needs a well-formed key', async () => {
    expect((await save({}, { key: 'with space' })).status).toBe(400)
  })
})

describe('who sees pools', () => {
  test('users without the menu item do not', async () => {
    const { access } = await server.signIn('a', 'user@mail.example')
    for (const call of [path, '/api/vp-service-line', '/api/virtual-plan/1/outlook/'])
      expect((await server.call('a', 'GET', call, { token: access })).status).toBe(403)
    expect((await server.call('a', 'GET', path)).status).toBe(401)
  })

  test('another tenant neither sees nor saves them', async () => {
    const pool = (await create()).body
    const theirs = await server.call('b', 'GET', path, { token: stranger })
    expect(theirs.body.data).toEqual([])
    const saved = await server.call('b', 'PATCH', path, { token: stranger, body: { pool_details: edit(pool) } })
    expect(saved.status).toBe(404)
  })

  test('a planner of a group sees the pools of that group, and a save keeps hidden lines', async () => {
    const own = (await create({ plan_name: 'Own', assigned_service_lines: ['a-6'] }, planner)).body
    const shared = (await create({ plan_name: 'Shared', assigned_service_lines: ['a-7'] })).body
    const names = (await list(planner)).map((pool: { plan_name: string }) => pool.plan_name)
    expect(names).toContain('Own')
    expect(names).not.toContain('Shared')
    expect((await save(edit(shared), { token: planner })).status).toBe(404)

    await server.database.transaction({ tenantId: 'a' }, (db) =>
      db.updateTable('service_lines').set({ group_name: 'south' }).where('service_line_number', '=', 'a-6').execute(),
    )
    const saved = await save(edit(own, { plan_name: 'Own' }), { token: planner })
    expect(saved.body.assigned_service_lines).toEqual([])
    const whole = (await list()).find((pool: typeof own) => pool.virtual_plan_id === own.virtual_plan_id)
    expect(whole.assigned_service_lines).toHaveLength(1)
  })
})
