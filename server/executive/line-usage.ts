import { type RawBuilder, sql } from 'kysely'
import { findUsageMoment } from '../plans/usage-moment.ts'
import type { Db } from '../platform/database/database.ts'
import { readInColumns } from '../platform/database/read-in-columns.ts'

/** The two newest billing cycles of a line. */
export interface LineUsage {
  id: number
  limit_gb: number | null
  used_gb: number
  used_before_gb: number | null
  /** Used in the earlier cycle by the same time of it; null when unknown. */
  used_before_to_date_gb: number | null
}

const COLUMNS = ['id', 'limit_gb', 'used_gb', 'used_before_gb', 'used_before_to_date_gb'] as const

/** The two newest cycles of a line begin within it, unless the vendor has stopped or only begun to report the line. */
const RECENT_DAYS = 65

const selectNewest = (tenantId: string, which: RawBuilder<unknown>) => sql`
  select service_line_id, max(usage_limit_gb) filter (where back = 1) as limit_gb,
    max(used_gb) filter (where back = 1) as used_gb, max(used_gb) filter (where back = 2) as used_before_gb,
    max(cycle_start) filter (where back = 1) as cycle_start, max(cycle_start) filter (where back = 2) as start_before
  from (
    select service_line_id, usage_limit_gb, priority_gb + standard_gb as used_gb, cycle_start,
      row_number() over (partition by service_line_id order by cycle_start desc) as back
    from line_usage
    where tenant_id = ${tenantId} and ${which}
  ) as cycle
  where back <= 2
  group by service_line_id`

/** Of each line. `today` is the day that the figures cover partially; null before the first figures. */
const selectUsage = (tenantId: string, today: string | null, passedOfToday: number) => sql`
  with recent as materialized (
    select * from (${selectNewest(tenantId, sql`cycle_start > coalesce(${today}::date, current_date) - ${sql.lit(RECENT_DAYS)}`)}) as newest
    where start_before is not null),
  usage as materialized (
    select * from recent
    union all
    ${selectNewest(
      tenantId,
      sql`service_line_id = any(array(
        select id from service_lines where tenant_id = ${tenantId} and id not in (select service_line_id from recent)))`,
    )}),
  counted as materialized (
    select service_line_id, start_before, date_trunc('month', start_before::timestamp)::date as month_before,
      least(until, cycle_start - 1) as last, case when until < cycle_start then ${passedOfToday}::float8 else 1 end as part
    from (select *, start_before + (${today}::date - cycle_start) as until from usage) as usage
    where ${today}::date >= cycle_start and start_before is not null),
  past as (
    select counted.service_line_id, sum(case when last >= month + 31 then used_gb[31]
        else coalesce(used_gb[last - month], 0) * (1 - part) + used_gb[last - month + 1] * part end
      - coalesce(used_gb[start_before - month], 0)) as gb
    from counted join monthly_usage as used on used.service_line_id = counted.service_line_id
      and used.month >= counted.month_before and used.month <= counted.last and used.first_day <= counted.last
    where used.tenant_id = ${tenantId} and used.month >= (select min(month_before) from counted)
    group by counted.service_line_id)
  select service_line_id as id, limit_gb, used_gb, used_before_gb, past.gb as used_before_to_date_gb
  from usage left join past using (service_line_id)`

export const listLineUsage = async (db: Db, tenantId: string): Promise<Map<number, LineUsage>> => {
  // Before the first figures, nothing can be compared.
  const { today, passedOfToday } = (await findUsageMoment(db, tenantId)) ?? { today: null, passedOfToday: 0 }
  const rows = await readInColumns<LineUsage>(db, COLUMNS, selectUsage(tenantId, today, passedOfToday))
  return new Map(rows.map((row) => [row.id, row]))
}
