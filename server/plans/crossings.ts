import { topUpBucketGb } from '#contract/plans.ts'
import { recordAudit } from '../audit/record.ts'
import type { Db } from '../platform/database/database.ts'
import { publishEvents } from '../platform/publish-events.ts'
import { mailCrossing } from './crossing-mail.ts'
import { orderOptOuts, restoreOptIn } from './orders.ts'
import { getLimitGb, type PoolRow } from './pool-row.ts'
import { POOL_WORKER } from './start-next-cycle.ts'

// Figures that jump this far are probably wrong. The next run continues from here.
const MAX_BUCKETS_AT_ONCE = 20

const findOpen = (db: Db, pool: PoolRow) =>
  db
    .selectFrom('pool_crossings')
    .select(['id', 'behavior', 'cycle_start'])
    .where('tenant_id', '=', pool.tenant_id)
    .where('pool_id', '=', pool.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

const end = async (db: Db, pool: PoolRow, crossingId: number, now: Date) => {
  await db
    .updateTable('pool_crossings')
    .set({ ended_at: now })
    .where('tenant_id', '=', pool.tenant_id)
    .where('id', '=', crossingId)
    .execute()
}

const begin = async (db: Db, pool: PoolRow, now: Date): Promise<number> => {
  const { id } = await db
    .insertInto('pool_crossings')
    .values({
      tenant_id: pool.tenant_id,
      pool_id: pool.id,
      cycle_start: pool.cycle_start,
      behavior: pool.over_limit_behavior,
      limit_gb: getLimitGb(pool),
      used_gb: pool.used_gb,
      crossed_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await publishEvents(db, pool.tenant_id, [{ type: 'pool.limit_reached', at: now, subject: { poolId: pool.id } }], now)
  await recordAudit(db, pool.tenant_id, now, {
    performer: POOL_WORKER,
    action: 'pool.limit_reached',
    performee: pool.name,
    details: { pool: pool.id, behavior: pool.over_limit_behavior, limitGb: getLimitGb(pool), usedGb: pool.used_gb },
  })
  return id
}

const addBucket = async (db: Db, pool: PoolRow, crossingId: number, now: Date): Promise<PoolRow> => {
  await db
    .insertInto('pool_top_ups')
    .values({
      tenant_id: pool.tenant_id,
      pool_id: pool.id,
      cycle_start: pool.cycle_start,
      amount_gb: topUpBucketGb,
      bought_at: now,
      bought_by: POOL_WORKER,
      crossing_id: crossingId,
    })
    .execute()
  const top_up_gb = pool.top_up_gb + topUpBucketGb
  await db
    .updateTable('pools')
    .set({ top_up_gb })
    .where('tenant_id', '=', pool.tenant_id)
    .where('id', '=', pool.id)
    .execute()
  await recordAudit(db, pool.tenant_id, now, {
    performer: POOL_WORKER,
    action: 'pool.top_up',
    performee: pool.name,
    details: {
      pool: pool.id,
      buckets: 1,
      amountGb: topUpBucketGb,
      before: getLimitGb(pool),
      after: getLimitGb(pool) + topUpBucketGb,
    },
  })
  return { ...pool, top_up_gb }
}

/** Buys one bucket for each limit that was reached, until the usage is below the limit again. */
const buyBuckets = async (db: Db, reached: PoolRow, now: Date): Promise<PoolRow> => {
  let pool = reached
  for (let bought = 0; pool.used_gb >= getLimitGb(pool) && bought < MAX_BUCKETS_AT_ONCE; bought++) {
    const crossingId = await begin(db, pool, now)
    pool = await addBucket(db, pool, crossingId, now)
    await end(db, pool, crossingId, now)
  }
  return pool
}

/**
 * Acts once when a pool's usage has reached its limit. A crossing stays open until the usage is below the limit, the
 * behavior is changed or the cycle is over. While one is open, no other starts. The pool must be locked and measured.
 */
export const applyLimit = async (db: Db, measured: PoolRow, now: Date): Promise<PoolRow> => {
  let pool = measured
  const open = await findOpen(db, pool)
  const isOver = pool.used_gb >= getLimitGb(pool)
  const stands = open && isOver && open.behavior === pool.over_limit_behavior && open.cycle_start === pool.cycle_start
  if (open && !stands) await end(db, pool, open.id, now)
  if (isOver && !stands) {
    if (pool.over_limit_behavior === 'Purchase Buckets') pool = await buyBuckets(db, pool, now)
    else await begin(db, pool, now)
    await mailCrossing(db, measured, pool)
  }
  if (isOver && pool.over_limit_behavior === 'Hard Cap') await orderOptOuts(db, pool, now)
  await restoreOptIn(db, pool, now)
  return pool
}
