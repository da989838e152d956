import { sql } from 'kysely'
import { type PoolPreview, type PreviewPool, topUpBucketGb } from '#contract/plans.ts'
import type { Db } from '../platform/database/database.ts'
import { type Cycle, findCycle } from './billing-cycle.ts'
import { toSeries } from './daily-series.ts'
import { type Day, toDay } from './days.ts'
import { forecast, HISTORY_DAYS, nothingKnown } from './forecast.ts'
import { findAnchorDay } from './member-lines.ts'
import { getPool } from './queries.ts'
import { findUsageMoment } from './usage-moment.ts'

/** The lines with these numbers that the transaction's scope sees. */
const listLineIds = async (db: Db, tenantId: string, numbers: readonly string[]): Promise<number[]> => {
  const rows = await db
    .selectFrom('service_lines')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`service_line_number = any(${numbers}::text[])`)
    .execute()
  return rows.map(({ id }) => id)
}

/** The total usage of these lines on each whole day before today. */
const sumDays = async (db: Db, tenantId: string, lineIds: readonly number[], today: Day): Promise<number[]> => {
  const { rows } = await sql<{ ago: number; gb: number }>`
    select (${today}::date - day)::integer as ago, sum(priority_gb) as gb
    from daily_usage
    where tenant_id = ${tenantId} and service_line_id = any(${lineIds}::bigint[])
      and day < ${today}::date and day >= ${today}::date - ${HISTORY_DAYS}::integer
    group by 1`.execute(db)
  return toSeries({ ago: rows.map(({ ago }) => ago), gb: rows.map(({ gb }) => gb) })
}

const sumCycle = async (db: Db, tenantId: string, lineIds: readonly number[], { start, end }: Cycle) => {
  const { rows } = await sql<{ gb: number }>`
    select coalesce(sum(priority_gb), 0) as gb from daily_usage
    where tenant_id = ${tenantId} and service_line_id = any(${lineIds}::bigint[])
      and day >= ${start}::date and day < ${end}::date`.execute(db)
  return rows[0]?.gb ?? 0
}

/** How long a pool’s data would last with the limit, the top-ups and the lines of an unsaved form. */
export const previewPool = async (db: Db, tenantId: string, now: Date, input: PreviewPool): Promise<PoolPreview> => {
  const pool =
    input.virtual_plan_id === undefined ? undefined : await getPool(db, tenantId, Number(input.virtual_plan_id))
  const lineIds = await listLineIds(db, tenantId, input.assigned_service_lines)
  const cycle = pool
    ? { start: pool.cycle_start, end: pool.cycle_end }
    : findCycle(toDay(now), await findAnchorDay(db, tenantId, lineIds))
  const boughtGb = pool?.usage_limit
    .filter(({ dataBlockType }) => dataBlockType === 'top_up')
    .reduce((sum, { totalAmountGB }) => sum + totalAmountGB, 0)
  const limitGb = input.usage_limit + (boughtGb ?? 0) + (input.top_up_count ?? 0) * topUpBucketGb
  const usedGb = await sumCycle(db, tenantId, lineIds, cycle)
  const moment = await findUsageMoment(db, tenantId)
  return {
    used_GB: usedGb,
    limit_GB: limitGb,
    cycle_end: cycle.end,
    forecast: moment
      ? forecast({
          ...moment,
          days: await sumDays(db, tenantId, lineIds, moment.today),
          usedGb,
          limitGb,
          cycleEnd: cycle.end,
        })
      : nothingKnown,
  }
}
