import { describe, expect, test } from 'vitest'
import { NOW, setupPools } from './testing/setup-pools.ts'

const { addUsers, createPool, crossings, entries, getFleet, getLines, getOther, mails, orders, reconcile } =
  setupPools()

describe('what a pool has used', () => {
  test('is the total of its lines on the days of its cycle', async () => {
    const poolId = await createPool('Soft Cap')
    await getFleet().use(getLines()[0], '2026-10-31', [1000, 10.1, 20.2], NOW)
    await getFleet().use(getLines()[1], '2026-11-30', [0.3, 1000], NOW)
    const theirs = await getOther().addLine({ number: 'B-1' })
    await getOther().use(theirs, '2026-11-01', [500], NOW)
    expect((await reconcile(poolId)).used_gb).toBe(30.6)
  })

  test('reaches a limit that hundredths add up to exactly', async () => {
    const poolId = await createPool('Soft Cap', { usage_limit_gb: 1 })
    await getFleet().use(getLines()[0], '2026-11-01', new Array(10).fill(0.1), NOW)
    await reconcile(poolId)
    expect(await crossings(poolId)).toHaveLength(1)
  })
})

describe('at its limit', () => {
  test('a Soft Cap notifies once and changes nothing', async () => {
    const poolId = await createPool('Soft Cap', { name: 'Quiet' })
    await getFleet().use(getLines()[0], '2026-11-01', [99.99], NOW)
    await reconcile(poolId)
    expect(await crossings(poolId)).toEqual([])
    await getFleet().use(getLines()[0], '2026-11-02', [0.01], NOW)
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
    await getFleet().use(getLines()[0], '2026-11-01', [100], NOW)
    expect((await reconcile(poolId)).top_up_gb).toBe(500)
    expect((await reconcile(poolId)).top_up_gb).toBe(500)
    await getFleet().use(getLines()[0], '2026-11-02', [1000], NOW)
    expect((await reconcile(poolId)).top_up_gb).toBe(1500)
    expect((await crossings(poolId)).map(({ limit_gb }) => limit_gb)).toEqual([100, 600, 1100])
    expect(await entries(poolId, 'pool.top_up')).toHaveLength(3)
    expect(await mails('Buyer')).toHaveLength(2)
  })

  test('Purchase Buckets buys at most 20 buckets at once, whatever figure the vendor reports', async () => {
    const poolId = await createPool('Purchase Buckets')
    await getFleet().use(getLines()[0], '2026-11-01', [1_000_000], NOW)
    expect((await reconcile(poolId)).top_up_gb).toBe(20 * 500)
    expect(await entries(poolId, 'pool.top_up')).toHaveLength(20)
  })

  test('mails administrators and the plan managers of the pool’s own group, nobody of another group', async () => {
    const [own, southern, shared] = getLines()
    const managers = await addUsers(
      ['north', 'south'].map((group_name) => ({ email: `manager@${group_name}.example`, role: 'user', group_name })),
    )
    await getFleet().inTenant(async (db) => {
      await db
        .insertInto('feature_grants')
        .values(managers.map(({ id }) => ({ tenant_id: 'a', user_id: id, item: 'plan_manager', value: 'true' })))
        .execute()
      await db.updateTable('service_lines').set({ group_name: 'south' }).where('id', '=', southern).execute()
    })
    const northernPool = await createPool('Soft Cap', { name: 'Northern', group_name: 'north' }, [own])
    const sharedPool = await createPool('Soft Cap', { name: 'Shared', group_name: null }, [southern, shared])
    await getFleet().use(own, '2026-11-01', [150], NOW)
    await getFleet().use(southern, '2026-11-01', [150], NOW)
    await reconcile(northernPool)
    await reconcile(sharedPool)
    const recipients = async (name: string) => (await mails(name)).map(({ recipient }) => recipient).sort()
    expect(await recipients('Northern')).toEqual(['admin@mail.example', 'manager@north.example'])
    expect(await recipients('Shared')).toEqual(['admin@mail.example'])
  })

  test('a Hard Cap orders the opt-out of each line that is opted in, once', async () => {
    const poolId = await createPool('Hard Cap')
    await getFleet().use(getLines()[0], '2026-11-01', [150], NOW)
    await reconcile(poolId)
    await reconcile(poolId)
    expect(await orders(poolId)).toEqual(
      getLines()
        .slice(0, 2)
        .map((line) => ({ service_line_id: line, desired: 'opt out', state: 'asked' })),
    )
  })

  test('a pool that becomes a Hard Cap while over its limit opts its lines out', async () => {
    const poolId = await createPool('Soft Cap')
    await getFleet().use(getLines()[0], '2026-11-01', [150], NOW)
    await reconcile(poolId)
    await getFleet().inTenant((db) =>
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
    await getFleet().use(getLines()[0], '2026-11-01', [150], NOW)
    await reconcile(poolId)
    const setState = (line: number | undefined, state: string) =>
      getFleet().inTenant((db) =>
        db
          .updateTable('pool_orders')
          .set({ state })
          .where('service_line_id', '=', line as number)
          .execute(),
      )
    await setState(getLines()[0], 'seen')
    await getFleet().inTenant((db) =>
      db.updateTable('pools').set({ top_up_gb: 500 }).where('id', '=', poolId).execute(),
    )
    await reconcile(poolId)
    await reconcile(poolId)
    expect(await orders(poolId)).toEqual([
      { service_line_id: getLines()[0], desired: 'opt out', state: 'seen' },
      { service_line_id: getLines()[1], desired: 'opt out', state: 'withdrawn' },
      { service_line_id: getLines()[0], desired: 'opt in', state: 'asked' },
    ])
    expect((await crossings(poolId)).map(({ ended_at }) => ended_at !== null)).toEqual([true])
  })

  test('concurrent runs act once', async () => {
    const poolId = await createPool('Purchase Buckets')
    await getFleet().use(getLines()[0], '2026-11-01', [100], NOW)
    await Promise.all(Array.from({ length: 8 }, () => reconcile(poolId)))
    expect(await crossings(poolId)).toHaveLength(1)
    expect(await entries(poolId, 'pool.top_up')).toHaveLength(1)
  })
})
