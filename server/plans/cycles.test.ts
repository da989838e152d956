import { describe, expect, test } from 'vitest'
import { lockPool } from './pool-row.ts'
import { reconcilePools } from './queue.ts'
import { NOW, setupPools } from './testing/setup-pools.ts'

const { createPool, crossings, entries, getDatabase, getFleet, getLines, orders, reconcile, startWithLines } =
  setupPools()

test('a pool that cannot be reconciled is logged, and the others are reconciled', async () => {
  const broken = await createPool('Purchase Buckets', { top_up_gb: 2_147_483_600 })
  await getFleet().use(getLines()[0], '2026-11-01', [3e9], NOW)
  await startWithLines(1)
  const healthy = await createPool('Soft Cap')
  await getFleet().use(getLines()[0], '2026-11-01', [42], NOW)
  const failures: object[] = []
  const log = { error: (about: object) => void failures.push(about) }
  const scope = { database: getDatabase(), tenantId: 'a', log }
  expect(await reconcilePools({ ...scope, signal: AbortSignal.abort() }, NOW)).toBeUndefined()
  expect(failures).toEqual([])
  const retryAt = await reconcilePools({ ...scope, signal: new AbortController().signal }, NOW)
  expect(failures).toEqual([expect.objectContaining({ tenantId: 'a', poolId: broken })])
  expect(retryAt).toEqual(new Date(NOW.getTime() + 60_000))
  expect((await getFleet().inTenant((db) => lockPool(db, 'a', healthy))).used_gb).toBe(42)
  await getFleet().inTenant((db) => db.deleteFrom('pools').where('id', '=', broken).execute())
})

describe('when the cycle ends', () => {
  const getPool = (poolId: number) => getFleet().inTenant((db) => lockPool(db, 'a', poolId))

  test('next month’s limit becomes this month’s, top-ups end and usage starts at zero', async () => {
    const poolId = await createPool('Soft Cap', { top_up_gb: 500 })
    await getFleet().use(getLines()[0], '2026-11-30', [40, 2], NOW)
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
    await getFleet().use(getLines()[0], '2026-11-01', [150], NOW)
    await reconcile(poolId)
    await getFleet().inTenant((db) => db.updateTable('pool_orders').set({ state: 'accepted' }).execute())
    await reconcile(poolId, new Date('2026-12-01T00:00:00Z'))
    expect((await crossings(poolId)).map(({ ended_at }) => ended_at !== null)).toEqual([true])
    expect((await orders(poolId)).filter(({ desired }) => desired === 'opt in')).toHaveLength(2)
  })
})
