import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { PoolRow } from './pool-row.ts'

/**
 * Adds up what the pool's lines have used on the days of its cycle. The pool must be locked. The total is rounded,
 * because the vendor reports hundredths of a GB and a binary rounding error must not make it miss a limit.
 */
export const measure = async (db: Db, pool: PoolRow): Promise<PoolRow> => {
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
