import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** For a larger fleet it would dominate the start time. */
const MAX_LINES = 500
const DAYS = 60

/**
 * The usage of each line at the end of each past day of its cycles, as if recorded at that time. The share of each data
 * block is unknown.
 */
export const writePastUsage = async (db: Db, tenantId: string): Promise<void> => {
  await sql`
    insert into fact_versions (tenant_id, kind, subject_id, known_at, facts)
    select ${tenantId}, 'usage', usage.service_line_id, (day.day + 1)::timestamp at time zone 'UTC',
      jsonb_build_object('cycle_start', usage.cycle_start, 'cycle_end', usage.cycle_end, 'priority_gb', day.priority_gb,
        'standard_gb', day.standard_gb, 'usage_limit_gb', usage.usage_limit_gb, 'data_blocks', '[]'::jsonb)
    from line_usage as usage
    cross join lateral (
      select daily.day, sum(daily.priority_gb) over days as priority_gb, sum(daily.standard_gb) over days as standard_gb
      from daily_usage as daily
      where daily.tenant_id = usage.tenant_id and daily.service_line_id = usage.service_line_id
        and daily.day >= usage.cycle_start and daily.day < usage.cycle_end
      window days as (order by daily.day)
    ) as day
    where usage.tenant_id = ${tenantId} and day.day + 1 > current_date - ${DAYS}::integer and day.day < current_date
      and (select count(*) from service_lines where tenant_id = ${tenantId}) <= ${MAX_LINES}::integer
    on conflict do nothing`.execute(db)
}
