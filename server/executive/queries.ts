import { sql } from 'kysely'
import type { AccountGroup } from '#contract/account-groups.ts'
import type { Plan, PlanLine } from '#contract/executive.ts'
import { sortNaturally } from '#contract/format/natural-order.ts'
import { findUsageMoment } from '../plans/usage-moment.ts'
import type { Db } from '../platform/database/database.ts'
import { getPlanKey, getPlanName } from './plan-key.ts'

interface LineRow {
  id: number
  pool_id: number | null
  pool_name: string | null
  pool_group: string | null
  pool_limit_gb: number | null
  group_name: string
  product_name: string | null
  price_cents: number | null
  limit_gb: number | null
  service_line: string
  kit_number: string | null
  status: string | null
  total_usage: number | null
  last_month_usage: number | null
  last_month_to_date: number | null
  nickname: string
  name: string
}

const listLines = async (db: Db, tenantId: string, accountGroup: AccountGroup | undefined) => {
  // Before the first figures, nothing can be compared.
  const { today, passedOfToday } = (await findUsageMoment(db, tenantId)) ?? { today: null, passedOfToday: 0 }
  const chosen = accountGroup === undefined ? sql`` : sql`and line.account_group = ${accountGroup}`
  const { rows } = await sql<LineRow>`
    with usage as materialized (
      select service_line_id, max(usage_limit_gb) filter (where back = 1) as limit_gb,
        max(used_gb) filter (where back = 1) as used_gb, max(used_gb) filter (where back = 2) as used_before_gb,
        max(cycle_start) filter (where back = 1) as cycle_start, max(cycle_start) filter (where back = 2) as start_before
      from (
        select service_line_id, usage_limit_gb, priority_gb + standard_gb as used_gb, cycle_start,
          row_number() over (partition by service_line_id order by cycle_start desc) as back
        from line_usage
        where tenant_id = ${tenantId}
      ) as cycle
      where back <= 2
      group by service_line_id),
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
    select line.id, pool.id as pool_id, pool.name as pool_name, pool.group_name as pool_group,
      pool.limit_gb as pool_limit_gb, line.group_name, coalesce(product.name, line.product_name) as product_name,
      case when product.currency = 'USD' then product.price_cents end as price_cents,
      usage.limit_gb, line.service_line_number as service_line, kit.kit_serial as kit_number,
      case when kit.disabled then 'disabled' else kit.status end as status,
      usage.used_gb as total_usage, usage.used_before_gb as last_month_usage,
      past.gb as last_month_to_date, line.nickname, coalesce(line.custom_name, line.nickname) as name
    from service_lines as line
    left join (
      select member.service_line_id, pool.id, pool.name, pool.group_name, pool.usage_limit_gb + pool.top_up_gb as limit_gb
      from pool_lines as member join pools as pool on pool.tenant_id = member.tenant_id and pool.id = member.pool_id
      where member.tenant_id = ${tenantId}
      offset 0
    ) as pool on pool.service_line_id = line.id
    left join vendor_products as product on product.tenant_id = line.tenant_id
      and product.credential_id = line.credential_id and product.product_id = line.product_id
    left join (
      select distinct on (terminal.service_line_id) terminal.service_line_id, terminal.kit_serial, state.status,
        state.disabled
      from terminals as terminal
      left join status_intervals as state on state.tenant_id = terminal.tenant_id
        and state.terminal_id = terminal.id and state.ended_at is null
      where terminal.tenant_id = ${tenantId} and terminal.removed_at is null
      order by terminal.service_line_id, terminal.id
    ) as kit on kit.service_line_id = line.id
    left join usage on usage.service_line_id = line.id
    left join past on past.service_line_id = line.id
    where line.tenant_id = ${tenantId} and line.removed_at is null ${chosen}`.execute(db)
  rows.sort((a, b) => a.id - b.id)
  return sortNaturally(rows, ({ name }) => name)
}

/** A difference of two sums has a binary floating-point error. */
const roundGb = (gb: number | null) => (gb === null ? null : Math.round(gb * 1e9) / 1e9)

const toPlanLine = (line: LineRow): PlanLine => ({
  service_line: line.service_line,
  kit_number: line.kit_number,
  status: line.status ?? 'no data',
  total_usage: line.total_usage,
  last_month_usage: line.last_month_usage,
  last_month_to_date: roundGb(line.last_month_to_date),
  nickname: line.nickname,
  name: line.name,
  // The vendor reports 0 for a line without a limit.
  usage_limit: line.limit_gb || null,
})

/** A line with a top-up has a higher limit than its plan; an inactive line has none, which the vendor reports as 0. */
const commonLimit = (lines: readonly LineRow[]) => {
  const limits = lines.map(({ limit_gb }) => limit_gb ?? 0).filter((gb) => gb > 0)
  return limits.length > 0 ? Math.min(...limits) : null
}

/**
 * The price of one line of the plan. Lines of a pool may have different products; then it is their mean, unrounded, so
 * that price times lines is their total cost to the cent. Unknown if the price of any line is unknown.
 */
const findPrice = (lines: readonly LineRow[]) => {
  let cents = 0
  for (const { price_cents } of lines) {
    if (price_cents === null) return null
    cents += price_cents
  }
  return cents / lines.length / 100
}

const toPlan = (lines: [LineRow, ...LineRow[]]): Plan => {
  const [first] = lines
  return {
    plan_name: getPlanName(first),
    customer_group: first.pool_id === null ? first.group_name : first.pool_group,
    virtual_plan_id: first.pool_id === null ? null : String(first.pool_id),
    usage_limit: first.pool_id === null ? commonLimit(lines) : first.pool_limit_gb,
    price_usd: findPrice(lines),
    service_lines: lines.map(toPlanLine),
  }
}

const listEmptyPools = async (db: Db, tenantId: string): Promise<Plan[]> => {
  const { rows } = await sql<{ id: number; name: string; group_name: string | null; limit_gb: number }>`
    select pool.id, pool.name, pool.group_name, pool.usage_limit_gb + pool.top_up_gb as limit_gb
    from pools as pool
    where pool.tenant_id = ${tenantId} and not exists (
      select from pool_lines as member where member.tenant_id = pool.tenant_id and member.pool_id = pool.id)
    order by pool.id`.execute(db)
  return rows.map(({ id, name, group_name, limit_gb }) => ({
    plan_name: name,
    customer_group: group_name,
    virtual_plan_id: String(id),
    usage_limit: limit_gb,
    price_usd: null,
    service_lines: [],
  }))
}

/** The plans of the tenant or of one account group: each pool, and lines without a pool by customer and product. */
export const listPlans = async (db: Db, tenantId: string, accountGroup?: AccountGroup): Promise<Plan[]> => {
  const lines = await listLines(db, tenantId, accountGroup)
  const plans = [...Map.groupBy(lines, getPlanKey).values()].map((group) => toPlan(group as [LineRow, ...LineRow[]]))
  // A pool without lines belongs to no account group.
  return accountGroup === undefined ? [...plans, ...(await listEmptyPools(db, tenantId))] : plans
}
