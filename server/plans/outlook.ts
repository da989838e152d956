import { sql } from 'kysely'
import type pg from 'pg'
import type { Forecast } from '#contract/forecast.ts'
import { type LineOutlook, type PoolOutlook, type plans, topUpBucketGb } from '#contract/plans.ts'
import type { RouteOutput } from '#contract/route.ts'
import type { Db } from '../platform/database/database.ts'
import { getLine } from '../service-lines/get-line.ts'
import { listCrossings } from './crossing-queries.ts'
import { listDailySeries, listLineDailySeries } from './daily-series.ts'
import { forecast, nothingKnown } from './forecast.ts'
import { getPool, listPools } from './queries.ts'
import { findUsageMoment, type UsageMoment } from './usage-moment.ts'

interface LineRow {
  id: number
  service_line: string
  nickname: string
  /** In the line's own newest cycle. */
  used_gb: number | null
  limit_gb: number | null
  cycle_end: string | null
  /** On the days of the pool's cycle. */
  pool_used_gb: number
}

// A pool may have thousands of lines. The ones with the most usage explain its total.
const MAX_LINES = 200

const joinLineUsage = sql`
  left join lateral (
    select usage.priority_gb as used_gb, usage.usage_limit_gb as limit_gb, usage.cycle_end
    from line_usage as usage
    where usage.tenant_id = line.tenant_id and usage.service_line_id = line.id
    order by usage.cycle_start desc limit 1
  ) as own on true`

const listLines = async (db: Db, tenantId: string, poolId: number, cycle: { start: string; end: string }) => {
  const { rows } = await sql<LineRow>`
    with used as (
      select member.service_line_id, coalesce(sum(day.priority_gb), 0) as gb
      from pool_lines as member
      left join daily_usage as day on day.tenant_id = member.tenant_id
        and day.service_line_id = member.service_line_id and day.day >= ${cycle.start} and day.day < ${cycle.end}
      where member.tenant_id = ${tenantId} and member.pool_id = ${poolId}
      group by member.service_line_id
      order by gb desc, member.service_line_id
      limit ${MAX_LINES}
    )
    select line.id, line.service_line_number as service_line, line.nickname, own.used_gb, own.limit_gb, own.cycle_end,
      used.gb as pool_used_gb
    from used
    join service_lines as line on line.tenant_id = ${tenantId} and line.id = used.service_line_id
    ${joinLineUsage}
    order by used.gb desc, line.id`.execute(db)
  return rows
}

const ownForecast = (line: LineRow, days: readonly number[], moment: UsageMoment): Forecast => {
  const { used_gb, limit_gb, cycle_end } = line
  if (used_gb === null || cycle_end === null) return nothingKnown
  // The vendor reports 0 for a plan without a limit.
  return forecast({ ...moment, days, usedGb: used_gb, limitGb: limit_gb || null, cycleEnd: cycle_end })
}

/** How long a pool's data will last, with and without one more bucket, and which of its lines use it. */
export const getPoolOutlook = async (db: Db, tenantId: string, poolId: number): Promise<PoolOutlook> => {
  const pool = await getPool(db, tenantId, poolId)
  const crossings = await listCrossings(db, tenantId, poolId)
  const lines = await listLines(db, tenantId, poolId, { start: pool.cycle_start, end: pool.cycle_end })
  const moment = await findUsageMoment(db, tenantId)
  if (!moment)
    return {
      forecast: nothingKnown,
      with_bucket: nothingKnown,
      lines: lines.map((line) => toLineOutlook(line, null, nothingKnown)),
      crossings,
    }
  const { today } = moment
  const poolDays = await listDailySeries(db, { tenantId, today, by: 'pool_id', where: sql`member.pool_id = ${poolId}` })
  const shown = sql`member.service_line_id = any(${lines.map(({ id }) => id)}::bigint[])`
  const lineDays = await listDailySeries(db, { tenantId, today, by: 'service_line_id', where: shown })
  const use = { ...moment, cycleEnd: pool.cycle_end }
  const expected = lines.map((line) => {
    const days = lineDays.get(line.id) ?? []
    const own = ownForecast(line, days, moment)
    const usedGb = line.pool_used_gb
    // If the line and the pool have the same cycle, the line's own forecast gives the remaining usage.
    if (own.known && line.cycle_end === pool.cycle_end)
      return { line, own, gb: usedGb + own.expected_GB - (line.used_gb ?? 0) }
    const inPool = forecast({ ...use, days, usedGb, limitGb: pool.total_limit })
    return { line, own, gb: inPool.known ? inPool.expected_GB : usedGb }
  })
  const total = expected.reduce((sum, { gb }) => sum + gb, 0)
  return {
    forecast: pool.forecast,
    with_bucket: forecast({
      ...use,
      days: poolDays.get(poolId) ?? [],
      usedGb: pool.current_usage,
      limitGb: pool.total_limit + topUpBucketGb,
    }),
    lines: expected
      .map(({ line, own, gb }) => toLineOutlook(line, total > 0 ? gb / total : null, own))
      .sort((a, b) => (b.share ?? 0) - (a.share ?? 0)),
    crossings,
  }
}

const toLineOutlook = (line: LineRow, share: number | null, own: Forecast): LineOutlook => ({
  service_line: line.service_line,
  nickname: line.nickname,
  used_GB: line.pool_used_gb,
  share,
  limit_GB: line.limit_gb || null,
  forecast: own,
})

/** How long the data of one line will last, by its nickname, kit number or service line number. */
export const getLineOutlook = async (
  db: Db,
  client: pg.PoolClient,
  tenantId: string,
  name: string,
): Promise<RouteOutput<typeof plans.lineOutlook>> => {
  const { id } = await getLine(client, tenantId, name)
  const { rows } = await sql<LineRow>`
    select line.id, line.service_line_number as service_line, line.nickname, own.used_gb, own.limit_gb, own.cycle_end,
      coalesce(own.used_gb, 0) as pool_used_gb
    from service_lines as line
    ${joinLineUsage}
    where line.tenant_id = ${tenantId} and line.id = ${id}`.execute(db)
  const line = rows[0] as LineRow
  const pool_forecast = await findPoolForecast(db, tenantId, line.id)
  const moment = await findUsageMoment(db, tenantId)
  if (!moment) return { ...toLineOutlook(line, null, nothingKnown), pool_forecast }
  const days = await listLineDailySeries(db, { tenantId, today: moment.today, lineId: line.id })
  return { ...toLineOutlook(line, null, ownForecast(line, days, moment)), pool_forecast }
}

interface LineUse extends Pick<LineOutlook, 'limit_GB' | 'forecast'> {
  /** In the line's newest cycle. */
  usedGb: number | null
}

/** How long these lines' own data will last. */
export const listLineUses = async (
  db: Db,
  tenantId: string,
  lineIds: readonly number[],
): Promise<Map<number, LineUse>> => {
  const { rows } = await sql<LineRow>`
    select line.id, own.used_gb, own.limit_gb, own.cycle_end
    from service_lines as line
    ${joinLineUsage}
    where line.tenant_id = ${tenantId} and line.id = any(${lineIds}::bigint[])`.execute(db)
  const moment = await findUsageMoment(db, tenantId)
  const uses = new Map<number, LineUse>()
  for (const line of rows) {
    const days = moment ? await listLineDailySeries(db, { tenantId, today: moment.today, lineId: line.id }) : []
    uses.set(line.id, {
      usedGb: line.used_gb,
      limit_GB: line.limit_gb || null,
      forecast: moment ? ownForecast(line, days, moment) : nothingKnown,
    })
  }
  return uses
}

const findPoolForecast = async (db: Db, tenantId: string, lineId: number): Promise<Forecast | null> => {
  const member = await db
    .selectFrom('pool_lines')
    .select('pool_id')
    .where('tenant_id', '=', tenantId)
    .where('service_line_id', '=', lineId)
    .executeTakeFirst()
  const [pool] = member ? await listPools(db, tenantId, member.pool_id) : []
  return pool?.forecast ?? null
}
