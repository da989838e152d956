import { recordAudit } from '../audit/record.ts'
import type { Db } from '../platform/database/database.ts'
import { findCycle } from './billing-cycle.ts'
import type { Day } from './days.ts'
import type { PoolRow } from './pool-row.ts'

export const POOL_WORKER = 'plan manager'

/**
 * Starts the next cycle of a pool when the current one is over: next month's limit becomes this month's, and top-ups end.
 * The pool must be locked. Idempotent, because afterward the pool is in a cycle that is not over. It makes no difference
 * how many cycles have passed since the last run.
 */
export const startNextCycle = async (db: Db, pool: PoolRow, today: Day, now: Date): Promise<PoolRow> => {
  if (today < pool.cycle_end) return pool
  const { start, end } = findCycle(today, pool.anchor_day)
  const after = {
    cycle_start: start,
    cycle_end: end,
    usage_limit_gb: pool.next_usage_limit_gb,
    top_up_gb: 0,
    used_gb: 0,
    version: pool.version + 1,
  }
  await db.updateTable('pools').set(after).where('tenant_id', '=', pool.tenant_id).where('id', '=', pool.id).execute()
  await recordAudit(db, pool.tenant_id, now, {
    performer: POOL_WORKER,
    action: 'pool.cycle',
    performee: pool.name,
    details: {
      pool: pool.id,
      before: { cycle: pool.cycle_start, limitGb: pool.usage_limit_gb, topUpGb: pool.top_up_gb },
      after: { cycle: start, limitGb: after.usage_limit_gb, topUpGb: 0 },
    },
  })
  return { ...pool, ...after }
}
