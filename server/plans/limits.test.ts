import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OverLimitBehavior } from '#contract/plans.ts'
import { openDatabase } from '../platform/database/database.ts'
import { createTenant } from '../tenants/create-tenant.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { lockPool } from './pool-row.ts'
import { reconcilePools } from './queue.ts'
import { reconcilePool } from './reconcile-pool.ts'
import { createFleet } from './testing/fleet.ts'

let base: TestDatabase
let fleet: Awaited<ReturnType<typeof createFleet>>
let other: Awaited<ReturnType<typeof createFleet>>
let lines: number[]
let nextNumber = 0

const NOW = new Date('2026-11-15T12:00:00Z')

beforeAll(async () => {
  base = await createTestDatabase()
  const owner = openDatabase(base.owner, () => {})
  for (const id of ['a', 'b'])
    await owner.transaction({ tenantId: id }, (db) =>
      createTenant(db, { performer: 'test', now: NOW }, { id, hosts: [`${id}.example`], config: {} }),
    )
  await owner.close()
  fleet = await createFleet(base.database, 'a')
  other = await createFleet(base.database, 'b')
  await fleet.inTenant((db) =>
    db
      .insertInto('users')
      .values(
        ['admin', 'user'].map((role) => ({
          tenant_id: 'a',
          email: `${role}@mail.example`,
          password_hash: '-',
          role,
          group_name: 'north',
          customer_name: 'Some One',
          company: 'Company',
        })),
      )
      .execute(),
  )
})
afterAll(() => base.close())

beforeEach(async () => {
  lines = []
  for (let count = 0; count < 3; count++)
    lines.push(await fleet.addLine({ number: `SL-${nextNumber++}`, optedIn: count < 2 }))
})

const createPool = (behavior: OverLimitBehavior, more: object = {}) =>
  fleet.inTenant(async (db) => {
    const { id } = await db
      .insertInto('pools')
      .values({
        tenant_id: 'a',
        name: behavior,
        over_limit_behavior: behavior,
        usage_limit_gb: 100,
        next_usage_limit_gb: 200,
        anchor_day: 1,
        cycle_start: '2026-11-01',
        cycle_end: '2026-12-01',
        created_at: NOW,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('pool_lines')
      .values(lines.map((line) => ({ tenant_id: 'a', service_line_id: line, pool_id: id })))
      .execute()
    return id
  })

const reconcile = (poolId: number, now = NOW) =>
  fleet.inTenant(async (db) => reconcilePool(db, await lockPool(db, 'a', poolId), now))

const crossings = (poolId: number) =>
  fleet.inTenant((db) =>
    db
      .selectFrom('pool_crossings')
      .select(['behavior', 'limit_gb', 'used_gb', 'ended_at'])
      .where('pool_id', '=', poolId)
      .orderBy('id')
      .execute(),
  )

const orders = (poolId: number) =>
  fleet.inTenant((db) =>
    db
      .selectFrom('pool_orders as placed')
      .innerJoin('pool_crossings as crossing', 'crossing.id', 'placed.crossing_id')
      .select(['placed.service_line_id', 'placed.desired', 'placed.state'])
      .where('crossing.pool_id', '=', poolId)
      .orderBy('placed.id')
      .execute(),
  )

const mails = (name: string) =>
  fleet.inTenant((db) =>
    db
      .selectFrom('messages')
      .select(['recipient', 'subject'])
      .where('subject', 'like', `%${name}%`)
      .orderBy('created_at')
      .execute(),
  )

const entries = (poolId: number, action: string) =>
  fleet.inTenant(async (db) => {
    const found = await db.selectFrom('audit_log').select('details').where('action', '=', action).execute()
    return found.filter(({ details }) => (details as { pool: number }).pool === poolId)
  })

describe('what a pool has used', () => {
  test('is the total of its lines on the days of its cycle', async () => {
    const poolId = await createPool('Soft Cap')
    await fleet.use(lines[0] as number, '2026-10-31', [1000, 10.1, 20.2], NOW)
    await fleet.use(lines[1] as number, '2026-11-30', [0.3, 1000], NOW)
    const theirs = await other.addLine({ number: 'B-1' })
    await other.use(theirs, '2026-11-01', [500], NOW)
    expect((await reconcile(poolId)).used_gb).toBe(30.6)
  })

  test('reaches a limit that hundredths add up to exactly', async () => {
    const poolId = await createPool('Soft Cap', { usage_limit_gb: 1 })
    await fleet.use(lines[0] as number, '2026-11-01', new Array(10).fill(0.1), NOW)
    await reconcile(poolId)
    expect(await crossings(poolId)).toHaveLength(1)
  })
})

describe('at its limit', () => {
  test('a Soft Cap notifies once and changes nothing', async () => {
    const poolId = await createPool('Soft Cap', { name: 'Quiet' })
    await fleet.use(lines[0] as number, '2026-11-01', [99.99], NOW)
    await reconcile(poolId)
    expect(await crossings(poolId)).toEqual([])
    await fleet.use(lines[0] as number, '2026-11-02', [0.01], NOW)
    await reconcile(poolId)
    await reconcile(poolId)
    expect(await crossings(poolId)).toEqual([{ behavior: 'Soft Cap', limit_gb: 100, used_gb: 100, ended_at: null }])
    expect(await mails('Quiet')).toEqual([
      { recipient: 'admin@mail.example', subject: 'Pool Quiet has reached its limit of 100 GB' },
    ])
    expect(await entries(poolId, 'pool.limit_reached')).toHaveLength(1)
    expect(await orders(poolId)).toEqual([])
  })

  test('Purchase Buckets adds one bucket for each limit that was reached', async () => {
    const poolId = await createPool('Purchase Buckets', { name: 'Buyer' })
    await fleet.use(lines[0] as number, '2026-11-01', [100], NOW)
    expect((await reconcile(poolId)).top_up_gb).toBe(500)
    expect((await reconcile(poolId)).top_up_gb).toBe(500)
    await fleet.use(lines[0] as number, '2026-11-02', [1000], NOW)
    expect((await reconcile(poolId)).top_up_gb).toBe(1500)
    expect((await crossings(poolId)).map(({ limit_gb }) => limit_gb)).toEqual([100, 600, 1100])
    expect(await entries(poolId, 'pool.top_up')).toHaveLength(3)
    expect(await mails('Buyer')).toHaveLength(2)
  })

  test('Purchase Buckets buys at most 20 buckets at once, whatever figure the vendor reports', async () => {
    const poolId = await createPool('Purchase Buckets')
    await fleet.use(lines[0] as number, '2026-11-01', [1_000_000], NOW)
    expect((await reconcile(poolId)).top_up_gb).toBe(20 * 500)
    expect(await entries(poolId, 'pool.top_up')).toHaveLength(20)
  })

  test('mails administrators and the plan managers of the pool’s own group, nobody of another group', async () => {
    const poolId = await createPool('Soft Cap', { name: 'Northern', group_name: 'north' })
    const shared = await fleet.inTenant(async (db) => {
      const users = await db
        .insertInto('users')
        .values(
          ['north', 'south'].map((group_name) => ({
            tenant_id: 'a',
            email: `manager@${group_name}.example`,
            password_hash: '-',
            role: 'user',
            group_name,
            customer_name: 'Some One',
            company: 'Company',
          })),
        )
        .returning('id')
        .execute()
      await db
        .insertInto('feature_grants')
        .values(users.map(({ id }) => ({ tenant_id: 'a', user_id: id, item: 'plan_manager', value: 'true' })))
        .execute()
      await db
        .deleteFrom('pool_lines')
        .where('service_line_id', '=', lines[1] as number)
        .execute()
      const { id } = await db
        .insertInto('pools')
        .values({
          ...{ tenant_id: 'a', name: 'Shared', group_name: null, over_limit_behavior: 'Soft Cap', usage_limit_gb: 100 },
          ...{ next_usage_limit_gb: 100, anchor_day: 1, cycle_start: '2026-11-01', cycle_end: '2026-12-01' },
          created_at: NOW,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const southern = await db
        .updateTable('service_lines')
        .set({ group_name: 'south' })
        .where('id', '=', lines[1] as number)
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .updateTable('pool_lines')
        .set({ pool_id: id })
        .where('service_line_id', '=', lines[2] as number)
        .execute()
      await db.insertInto('pool_lines').values({ tenant_id: 'a', service_line_id: southern.id, pool_id: id }).execute()
      return id
    })
    await fleet.use(lines[0] as number, '2026-11-01', [150], NOW)
    await fleet.use(lines[1] as number, '2026-11-01', [150], NOW)
    await reconcile(poolId)
    await reconcile(shared)
    const recipients = async (name: string) => (await mails(name)).map(({ recipient }) => recipient).sort()
    expect(await recipients('Northern')).toEqual(['admin@mail.example', 'manager@north.example'])
    expect(await recipients('Shared')).toEqual(['admin@mail.example'])
  })

  test('a Hard Cap orders the opt-out of each line that is opted in, once', async () => {
    const poolId = await createPool('Hard Cap')
    await fleet.use(lines[0] as number, '2026-11-01', [150], NOW)
    await reconcile(poolId)
    await reconcile(poolId)
    expect(await orders(poolId)).toEqual(
      lines.slice(0, 2).map((line) => ({ service_line_id: line, desired: 'opt out', state: 'asked' })),
    )
  })

  test('a pool that becomes a Hard Cap while over its limit opts its lines out', async () => {
    const poolId = await createPool('Soft Cap')
    await fleet.use(lines[0] as number, '2026-11-01', [150], NOW)
    await reconcile(poolId)
    await fleet.inTenant((db) =>
      db.updateTable('pools').set({ over_limit_behavior: 'Hard Cap' }).where('id', '=', poolId).execute(),
    )
    await reconcile(poolId)
    expect((await crossings(poolId)).map(({ behavior, ended_at }) => [behavior, ended_at !== null])).toEqual([
      ['Soft Cap', true],
      ['Hard Cap', false],
    ])
    expect(await orders(poolId)).toHaveLength(2)
  })

  test('raising the limit opts lines back in, and withdraws orders that were not sent', async () => {
    const poolId = await createPool('Hard Cap')
    await fleet.use(lines[0] as number, '2026-11-01', [150], NOW)
    await reconcile(poolId)
    const setState = (line: number | undefined, state: string) =>
      fleet.inTenant((db) =>
        db
          .updateTable('pool_orders')
          .set({ state })
          .where('service_line_id', '=', line as number)
          .execute(),
      )
    await setState(lines[0], 'seen')
    await fleet.inTenant((db) => db.updateTable('pools').set({ top_up_gb: 500 }).where('id', '=', poolId).execute())
    await reconcile(poolId)
    await reconcile(poolId)
    expect(await orders(poolId)).toEqual([
      { service_line_id: lines[0], desired: 'opt out', state: 'seen' },
      { service_line_id: lines[1], desired: 'opt out', state: 'withdrawn' },
      { service_line_id: lines[0], desired: 'opt in', state: 'asked' },
    ])
    expect((await crossings(poolId)).map(({ ended_at }) => ended_at !== null)).toEqual([true])
  })

  test('concurrent runs act once', async () => {
    const poolId = await createPool('Purchase Buckets')
    await fleet.use(lines[0] as number, '2026-11-01', [100], NOW)
    await Promise.all(Array.from({ length: 8 }, () => reconcile(poolId)))
    expect(await crossings(poolId)).toHaveLength(1)
    expect(await entries(poolId, 'pool.top_up')).toHaveLength(1)
  })
})

test('a pool that cannot be reconciled is logged, and the others are reconciled', async () => {
  const broken = await createPool('Purchase Buckets', { top_up_gb: 2_147_483_600 })
  await fleet.use(lines[0] as number, '2026-11-01', [3e9], NOW)
  lines = [await fleet.addLine({ number: `SL-${nextNumber++}` })]
  const healthy = await createPool('Soft Cap')
  await fleet.use(lines[0] as number, '2026-11-01', [42], NOW)
  const failures: object[] = []
  const log = { error: (about: object) => void failures.push(about) }
  const retryAt = await reconcilePools({ database: base.database, tenantId: 'a', log }, NOW)
  expect(failures).toEqual([expect.objectContaining({ tenantId: 'a', poolId: broken })])
  expect(retryAt).toEqual(new Date(NOW.getTime() + 60_000))
  expect((await fleet.inTenant((db) => lockPool(db, 'a', healthy))).used_gb).toBe(42)
  await fleet.inTenant((db) => db.deleteFrom('pools').where('id', '=', broken).execute())
})

describe('when the cycle ends', () => {
  const getPool = (poolId: number) => fleet.inTenant((db) => lockPool(db, 'a', poolId))

  test('next month’s limit becomes this month’s, top-ups end and usage starts at zero', async () => {
    const poolId = await createPool('Soft Cap', { top_up_gb: 500 })
    await fleet.use(lines[0] as number, '2026-11-30', [40, 2], NOW)
    await reconcile(poolId, new Date('2026-11-30T23:59:59Z'))
    expect(await getPool(poolId)).toMatchObject({ usage_limit_gb: 100, top_up_gb: 500, used_gb: 40, version: 1 })
    await reconcile(poolId, new Date('2026-12-01T00:00:00Z'))
    expect(await getPool(poolId)).toMatchObject({
      usage_limit_gb: 200,
      next_usage_limit_gb: 200,
      top_up_gb: 0,
      used_gb: 2,
      cycle_start: '2026-12-01',
      cycle_end: '2027-01-01',
      version: 2,
    })
  })

  test('concurrent runs start the next cycle once', async () => {
    const poolId = await createPool('Soft Cap')
    const after = new Date('2026-12-01T00:00:01Z')
    await Promise.all(Array.from({ length: 6 }, () => reconcile(poolId, after)))
    expect(await entries(poolId, 'pool.cycle')).toHaveLength(1)
    expect((await getPool(poolId)).version).toBe(2)
  })

  test('a pool that no worker ran for weeks is put into today’s cycle', async () => {
    const poolId = await createPool('Soft Cap')
    await reconcile(poolId, new Date('2027-03-09T08:00:00Z'))
    expect(await getPool(poolId)).toMatchObject({ cycle_start: '2027-03-01', usage_limit_gb: 200, version: 2 })
  })

  test('the crossing ends, and a line that was opted out is opted in again', async () => {
    const poolId = await createPool('Hard Cap')
    await fleet.use(lines[0] as number, '2026-11-01', [150], NOW)
    await reconcile(poolId)
    await fleet.inTenant((db) => db.updateTable('pool_orders').set({ state: 'accepted' }).execute())
    await reconcile(poolId, new Date('2026-12-01T00:00:00Z'))
    expect((await crossings(poolId)).map(({ ended_at }) => ended_at !== null)).toEqual([true])
    expect((await orders(poolId)).filter(({ desired }) => desired === 'opt in')).toHaveLength(2)
  })
})
