import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/**
 * Records which lines and pools have used 80, 90 and 100 percent of their limit, once each per cycle, dated by `at` of
 * the event clock. A line in a pool counts only toward the pool. A crossing from days ago is dated by the day on which it
 * happened, so that users are not notified about it. Returns how many are new.
 */
export const recordUsageCrossings = async (db: Db, tenantId: string, at: Date): Promise<number> => {
  const now = sql`${at}::timestamptz`
  const lines = await sql`
    insert into usage_crossings (tenant_id, service_line_id, cycle_start, percent, used_gb, limit_gb, crossed_at)
    select ${tenantId}, usage.service_line_id, usage.cycle_start, mark.percent, usage.priority_gb, usage.usage_limit_gb,
      coalesce((
        select (min(day) + 1)::timestamp at time zone 'UTC' from (
          select daily.day, sum(daily.priority_gb) over (order by daily.day) as total from daily_usage as daily
          where daily.tenant_id = ${tenantId} and daily.service_line_id = usage.service_line_id
            and daily.day >= usage.cycle_start and daily.day < usage.cycle_end
        ) as days
        where total >= usage.usage_limit_gb * mark.percent / 100
        having min(day) < (${now} at time zone 'UTC')::date - 1
      ), least(${now}, usage.cycle_end::timestamp at time zone 'UTC'))
    from line_usage as usage
    cross join (values (80), (90), (100)) as mark (percent)
    where usage.tenant_id = ${tenantId} and usage.usage_limit_gb > 0
      and usage.priority_gb >= usage.usage_limit_gb * mark.percent / 100
      and usage.cycle_end > (${now} at time zone 'UTC')::date - 40
      and not exists (select from pool_lines as member
        where member.tenant_id = ${tenantId} and member.service_line_id = usage.service_line_id)
      and not exists (select from usage_crossings as known
        where known.tenant_id = ${tenantId} and known.service_line_id = usage.service_line_id
          and known.cycle_start = usage.cycle_start and known.percent = mark.percent)
    on conflict do nothing`.execute(db)
  const pools = await sql`
    insert into usage_crossings (tenant_id, pool_id, cycle_start, percent, used_gb, limit_gb, crossed_at)
    select ${tenantId}, pool.id, pool.cycle_start, mark.percent, pool.used_gb, pool.usage_limit_gb + pool.top_up_gb, ${now}
    from pools as pool
    cross join (values (80), (90), (100)) as mark (percent)
    where pool.tenant_id = ${tenantId} and pool.used_gb >= (pool.usage_limit_gb + pool.top_up_gb) * mark.percent / 100.0
    on conflict do nothing`.execute(db)
  return Number(lines.numAffectedRows) + Number(pools.numAffectedRows)
}
