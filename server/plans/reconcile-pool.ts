import { sql } from 'kysely'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Db } from '../platform/database/database.ts'
import { applyLimit } from './crossings.ts'
import { toDay } from './days.ts'
import { getLimitGb, type PoolRow } from './pool-row.ts'
import { startNextCycle } from './start-next-cycle.ts'

/** Brings a locked pool up to date: its cycle, its usage, and the actions that its limit requires. */
export const reconcilePool = async (db: Db, before: PoolRow, now: Date): Promise<PoolRow> => {
  const changed = await startNextCycle(db, before, toDay(now), now)
  const after = await applyLimit(db, await measure(db, changed), now)
  if (after.used_gb !== before.used_gb || getLimitGb(after) !== getLimitGb(before)) await notifyPoolLines(db, after)
  return after
}

/** The lists of terminals show the pool's usage and limit. */
const notifyPoolLines = async (db: Db, pool: PoolRow) => {
  const lines = await db
    .selectFrom('pool_lines')
    .select('service_line_id')
    .where('tenant_id', '=', pool.tenant_id)
    .where('pool_id', '=', pool.id)
    .execute()
  await notifyLinesChanged(
    db,
    pool.tenant_id,
    lines.map((line) => line.service_line_id),
  )
}

/**
 * Sums the usage of the pool's lines over the days of its cycle. The pool must be locked. The total is rounded, because
 * the vendor reports hundredths of a GB and a binary rounding error must not make it miss a limit.
 */
const measure = async (db: Db, pool: PoolRow): Promise<PoolRow> => {
  const { rows } = await sql<Pick<PoolRow, 'used_gb' | 'measured_at'>>`
    update pools set
      measured_at = (
        select max(last_success_at) from vendor_feeds where tenant_id = ${pool.tenant_id} and feed = 'usage'),
      used_gb = (
        select coalesce(round(sum(usage.priority_gb)::numeric, 3), 0)
        from pool_lines as member
        join daily_usage as usage on usage.tenant_id = member.tenant_id
          and usage.service_line_id = member.service_line_id
          and usage.day >= ${pool.cycle_start} and usage.day < ${pool.cycle_end}
        where member.tenant_id = ${pool.tenant_id} and member.pool_id = ${pool.id})
    where tenant_id = ${pool.tenant_id} and id = ${pool.id}
    returning used_gb, measured_at`.execute(db)
  return { ...pool, ...(rows[0] as (typeof rows)[number]) }
}
