import { sql } from 'kysely'
import type { DaySpan } from '#contract/calendar-period.ts'
import type { Report, ReportPool } from '#contract/reports.ts'
import { listLineUses } from '../plans/outlook.ts'
import { listPools } from '../plans/queries.ts'
import type { Db } from '../platform/database/database.ts'

const MAX_LINES = 10

interface LineRow {
  id: number
  name: string
  group_name: string
  gb: number
}

// Joined to lines for row-level security: usage has no group.
const selectLineUsage = (tenantId: string, { firstDay, lastDay }: DaySpan) => sql`
  from daily_usage as usage
  join service_lines as line on line.tenant_id = usage.tenant_id and line.id = usage.service_line_id
  where usage.tenant_id = ${tenantId} and usage.day >= ${firstDay} and usage.day <= ${lastDay}`

const used = sql`sum(usage.priority_gb + usage.standard_gb)`

const listDays = async (db: Db, tenantId: string, days: DaySpan) => {
  const { rows } = await sql<{ day: string; gb: number }>`
    select usage.day, ${used} as gb ${selectLineUsage(tenantId, days)} group by 1 order by 1`.execute(db)
  return rows
}

const listLines = async (db: Db, tenantId: string, days: DaySpan) => {
  const { rows } = await sql<LineRow>`
    select line.id, coalesce(line.custom_name, line.nickname) as name, line.group_name, ${used} as gb
    ${selectLineUsage(tenantId, days)} group by line.id, 2, 3 order by gb desc, line.id`.execute(db)
  return rows
}

const addUp = (rows: readonly { gb: number }[]) => rows.reduce((sum, { gb }) => sum + gb, 0)

/** The usage of the visible lines in a period, with forecasts for the largest. */
export const readUsage = async (db: Db, tenantId: string, days: DaySpan, previous: DaySpan) => {
  const lines = await listLines(db, tenantId, days)
  const before = await listDays(db, tenantId, previous)
  const top = lines.slice(0, MAX_LINES)
  const uses = await listLineUses(
    db,
    tenantId,
    top.map(({ id }) => id),
  )
  const usage: Report['usage'] = {
    usedGb: addUp(lines),
    previousGb: before.length === 0 ? null : addUp(before),
    days: await listDays(db, tenantId, days),
    lines: top.flatMap(({ id, name, group_name, gb }) => {
      const use = uses.get(id)
      if (!use) return []
      const own = { cycleUsedGb: use.usedGb, limitGb: use.limit_GB, forecast: use.forecast }
      return [{ name, group: group_name, usedGb: gb, ...own }]
    }),
  }
  return { usage, byLine: new Map(lines.map(({ id, gb }) => [id, gb])) }
}

const MAX_POOLS = 50

export const readPools = async (db: Db, tenantId: string): Promise<ReportPool[]> =>
  (await listPools(db, tenantId)).slice(0, MAX_POOLS).map((pool) => ({
    name: pool.plan_name,
    usedGb: pool.current_usage,
    limitGb: pool.total_limit,
    cycleEnd: pool.cycle_end,
    forecast: pool.forecast,
  }))
