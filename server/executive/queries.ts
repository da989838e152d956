import { sql } from 'kysely'
import type { AccountGroup } from '#contract/account-groups.ts'
import type { Plan, PlanLine } from '#contract/executive.ts'
import { sortNaturally } from '#contract/format/natural-order.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { readInColumns } from '../platform/database/read-in-columns.ts'
import { type LineUsage, listLineUsage } from './line-usage.ts'
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
  service_line: string
  kit_number: string | null
  status: string | null
  nickname: string
  name: string
}

/** By line; none before the vendor's first figures. */
type UsageByLine = ReadonlyMap<number, LineUsage>

const LINE_COLUMNS = [
  'id',
  'pool_id',
  'pool_name',
  'pool_group',
  'pool_limit_gb',
  'group_name',
  'product_name',
  'price_cents',
  'service_line',
  'kit_number',
  'status',
  'nickname',
  'name',
] as const

const selectLines = (tenantId: string, accountGroup: AccountGroup | undefined) => {
  const chosen = accountGroup === undefined ? sql`` : sql`and line.account_group = ${accountGroup}`
  return sql`
    select line.id, pool.id as pool_id, pool.name as pool_name, pool.group_name as pool_group,
      pool.usage_limit_gb + pool.top_up_gb as pool_limit_gb, line.group_name, coalesce(product.name, line.product_name) as product_name,
      case when product.currency = 'USD' then product.price_cents end as price_cents,
      line.service_line_number as service_line, kit.kit_serial as kit_number,
      case when kit.disabled then 'disabled' else kit.status end as status, line.nickname,
      coalesce(line.custom_name, line.nickname) as name
    from service_lines as line
    left join pool_lines as member on member.tenant_id = line.tenant_id and member.service_line_id = line.id
    left join pools as pool on pool.tenant_id = member.tenant_id and pool.id = member.pool_id
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
    where line.tenant_id = ${tenantId} and line.removed_at is null ${chosen}`
}

/** A difference of two sums has a binary floating-point error. */
const roundGb = (gb: number | null) => (gb === null ? null : Math.round(gb * 1e9) / 1e9)

const toPlanLine = (line: LineRow, usage: LineUsage | undefined): PlanLine => ({
  service_line: line.service_line,
  kit_number: line.kit_number,
  status: line.status ?? 'no data',
  total_usage: usage?.used_gb ?? null,
  last_month_usage: usage?.used_before_gb ?? null,
  last_month_to_date: roundGb(usage?.used_before_to_date_gb ?? null),
  nickname: line.nickname,
  name: line.name,
  // The vendor reports 0 for a line without a limit.
  usage_limit: usage?.limit_gb || null,
})

/** A line with a top-up has a higher limit than its plan; an inactive line has none, which the vendor reports as 0. */
const findCommonLimit = (lines: readonly LineRow[], usage: UsageByLine) => {
  const limits = lines.map(({ id }) => usage.get(id)?.limit_gb ?? 0).filter((gb) => gb > 0)
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

const toPlan = (lines: [LineRow, ...LineRow[]], usage: UsageByLine): Plan => {
  const [first] = lines
  return {
    plan_name: getPlanName(first),
    customer_group: first.pool_id === null ? first.group_name : first.pool_group,
    virtual_plan_id: first.pool_id === null ? null : String(first.pool_id),
    usage_limit: first.pool_id === null ? findCommonLimit(lines, usage) : first.pool_limit_gb,
    price_usd: findPrice(lines),
    service_lines: lines.map((line) => toPlanLine(line, usage.get(line.id))),
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
export const listPlans = async (
  { tenantId, transaction }: Context,
  accountGroup: AccountGroup | undefined,
): Promise<Plan[]> => {
  // On several connections at once, because sequential reads would add up.
  const [rows, usage, emptyPools] = await Promise.all([
    transaction((db) => readInColumns<LineRow>(db, LINE_COLUMNS, selectLines(tenantId, accountGroup))),
    transaction((db) => listLineUsage(db, tenantId)),
    // A pool without lines belongs to no account group.
    accountGroup === undefined ? transaction((db) => listEmptyPools(db, tenantId)) : [],
  ])
  rows.sort((a, b) => a.id - b.id)
  const lines = sortNaturally(rows, ({ name }) => name)
  const plans = [...Map.groupBy(lines, getPlanKey).values()].map((group) =>
    toPlan(group as [LineRow, ...LineRow[]], usage),
  )
  return [...plans, ...emptyPools]
}
