import { sql } from 'kysely'
import type { AccountGroup } from '#contract/account-groups.ts'
import { addDays } from '#contract/calendar-period.ts'
import type { ExecutiveMonths, PlanMonths } from '#contract/executive.ts'
import { findUsageMoment } from '../plans/usage-moment.ts'
import type { Db } from '../platform/database/database.ts'
import { getPlanKey, getPlanName } from './plan-key.ts'

const MONTHS = 6

const toMonth = (day: string) => day.slice(0, 7)
const firstDay = (month: string) => `${month}-01`
/** The month shifted by `by` months, which may be negative. */
const shiftMonth = (month: string, by: number) => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return toMonth(new Date(Date.UTC(year, number - 1 + by, 1)).toISOString())
}
const countDays = (month: string) => Number(addDays(firstDay(shiftMonth(month, 1)), -1).slice(8))

interface Span {
  /** The first days of the months, and the day after the last month. */
  firsts: readonly string[]
  until: string
  /** The number of days compared, from the start of each month. */
  comparedDays: number
  /** The 1-based position of the current month; 0 if it is not included. */
  running: number
}

interface FigureRow {
  pool_id: number | null
  pool_name: string | null
  pool_group: string | null
  group_name: string
  product_name: string | null
  /** 1-based; null for a plan without figures. */
  month: number | null
  gb: number
  compared_gb: number
  first_day: string | null
  /** The number of billed lines, and the price of each. */
  lines: number
  price_cents: number | null
}

/**
 * Sums months and billing cycles by plan in the database: a large fleet has millions of them. Every current or former line
 * counts in its current plan, at its current price, in the months in which it had a cycle, and today if it still exists.
 */
const listFigures = async (db: Db, tenantId: string, span: Span, accountGroup: AccountGroup | undefined) => {
  const chosen = accountGroup === undefined ? sql`` : sql`and line.account_group = ${accountGroup}`
  const { firsts, until, comparedDays, running } = span
  const { rows } = await sql<FigureRow>`
    with line as materialized (
      select line.id, pool.id as pool_id, pool.name as pool_name, pool.group_name as pool_group, line.group_name,
        coalesce(product.name, line.product_name) as product_name,
        case when product.currency = 'USD' then product.price_cents end as price_cents, line.removed_at is null as is_present
      from service_lines as line
      left join pool_lines as member on member.tenant_id = line.tenant_id and member.service_line_id = line.id
      left join pools as pool on pool.tenant_id = member.tenant_id and pool.id = member.pool_id
      left join vendor_products as product on product.tenant_id = line.tenant_id
        and product.credential_id = line.credential_id and product.product_id = line.product_id
      where line.tenant_id = ${tenantId} ${chosen}),
    served as (
      select distinct cycle.service_line_id as line_id, width_bucket(first::date, ${firsts}::date[]) as month
      from line_usage as cycle
      cross join lateral generate_series(date_trunc('month', greatest(cycle.cycle_start, ${firsts[0]}::date)),
        least(cycle.cycle_end, ${until}::date) - interval '1 day', interval '1 month') as first
      where cycle.tenant_id = ${tenantId} and cycle.cycle_start < ${until}::date and cycle.cycle_end > ${firsts[0]}::date),
    figure as (
      select service_line_id as line_id, width_bucket(month, ${firsts}::date[]) as month, used_gb[31] as gb,
        coalesce(used_gb[${comparedDays}], 0) as compared_gb, first_day, false as is_served
      from monthly_usage
      where tenant_id = ${tenantId} and month >= ${firsts[0]}::date and month < ${until}::date
      union all
      select line_id, month, 0, 0, null, true from served where month <> ${running}
      union all
      select id, ${running}::integer, 0, 0, null, true from line where is_present and ${running} > 0)
    select line.pool_id, line.pool_name, line.pool_group, line.group_name, line.product_name, line.price_cents, figure.month,
      coalesce(sum(figure.gb), 0) as gb, coalesce(sum(figure.compared_gb), 0) as compared_gb,
      min(figure.first_day)::text as first_day, (count(*) filter (where figure.is_served))::integer as lines
    from line left join figure on figure.line_id = line.id
    group by line.pool_id, line.pool_name, line.pool_group, line.group_name, line.product_name, line.price_cents,
      figure.month
    order by min(line.id)`.execute(db)
  return rows
}

interface Wanted {
  now: Date
  month?: string | undefined
  group?: AccountGroup | undefined
}

/** Data and prices of each plan in the months up to `month`. Lines count in their current plan. */
export const readMonths = async (
  db: Db,
  tenantId: string,
  { now, month: wanted, group }: Wanted,
): Promise<ExecutiveMonths> => {
  const today = (await findUsageMoment(db, tenantId))?.today ?? now.toISOString().slice(0, 10)
  const running = toMonth(today)
  const month = wanted === undefined || wanted > running ? running : wanted
  const months = Array.from({ length: MONTHS }, (_, index) => shiftMonth(month, index + 1 - MONTHS))
  const before = shiftMonth(month, -1)
  // Compares equal numbers of full days in both months.
  const wholeDays = month === running ? Number(today.slice(8)) - 1 : countDays(month)
  const comparedDays = Math.min(wholeDays, countDays(before))
  const firsts = months.map(firstDay)
  const span: Span = {
    ...{ firsts, until: firstDay(shiftMonth(month, 1)), running: months.indexOf(running) + 1 },
    comparedDays,
  }
  const empty = () => months.map(() => 0)
  const plans = new Map<string, PlanMonths>()
  const rows = await listFigures(db, tenantId, span, group)
  for (const row of rows) {
    const key = getPlanKey(row)
    const plan = plans.get(key) ?? {
      plan_name: getPlanName(row),
      customer_group: row.pool_id === null ? row.group_name : row.pool_group,
      ...{ data_GB: empty(), lines: empty(), price_usd: empty(), unpriced_lines: empty() },
      ...{ compared_GB: 0, before_GB: 0 },
    }
    plans.set(key, plan)
    if (row.month === null) continue
    const add = (values: number[], more: number) => {
      const index = (row.month as number) - 1
      values[index] = (values[index] ?? 0) + more
    }
    add(plan.data_GB, row.gb)
    add(plan.lines, row.lines)
    if (row.price_cents === null) add(plan.unpriced_lines, row.lines)
    else add(plan.price_usd, row.lines * row.price_cents)
    if (months[row.month - 1] === month) plan.compared_GB += row.compared_gb
    if (months[row.month - 1] === before) plan.before_GB += row.compared_gb
  }
  return {
    ...{ month, running, months, comparedDays },
    firstDays: months.map((_, index) => {
      const days = rows.flatMap(({ month: each, first_day }) => (each === index + 1 && first_day ? [first_day] : []))
      return days.length === 0 ? null : days.reduce((least, day) => (day < least ? day : least))
    }),
    plans: [...plans.values()].map((plan) => ({ ...plan, price_usd: plan.price_usd.map((cents) => cents / 100) })),
  }
}
