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
  /** 1-based. */
  month: number
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
 * Names and prices are joined to the sums, not to each line. The months in which a line had a cycle are the bits of a number.
 */
const listFigures = async (db: Db, tenantId: string, span: Span, accountGroup: AccountGroup | undefined) => {
  const chosen = accountGroup === undefined ? sql`` : sql`and line.account_group = ${accountGroup}`
  const { firsts, until, comparedDays, running } = span
  const { rows } = await sql<FigureRow>`
    with line as materialized (
      select line.id, line.removed_at is null as is_present, member.pool_id, line.group_name, line.credential_id, line.product_id,
        line.product_name, min(line.id) over (
          partition by member.pool_id, line.group_name, line.credential_id, line.product_id, line.product_name) as plan_id
      from service_lines as line
      left join pool_lines as member on member.tenant_id = line.tenant_id and member.service_line_id = line.id
      where line.tenant_id = ${tenantId} ${chosen}),
    plan as (
      select first.id, first.pool_id, first.group_name, first.credential_id, first.product_id, first.product_name, each.lines
      from (select plan_id, count(*) filter (where is_present) as lines from line group by plan_id) as each
      join line as first on first.id = each.plan_id),
    used as (
      select line.plan_id, monthly.month, sum(monthly.used_gb[31]) as gb,
        sum(coalesce(monthly.used_gb[${comparedDays}], 0)) as compared_gb, min(monthly.first_day) as first_day
      from monthly_usage as monthly left join line on line.id = monthly.service_line_id
      where monthly.tenant_id = ${tenantId} and monthly.month >= ${firsts[0]}::date and monthly.month < ${until}::date
      group by line.plan_id, monthly.month),
    cycle as (
      select service_line_id, bit_or((1 << width_bucket(least(cycle_end, ${until}::date) - 1, ${firsts}::date[]))
        - (1 << width_bucket(greatest(cycle_start, ${firsts[0]}::date), ${firsts}::date[]) - 1)) as months
      from line_usage
      where tenant_id = ${tenantId} and cycle_start < ${until}::date and cycle_end > ${firsts[0]}::date
      group by service_line_id),
    served as (
      select plan_id, month, sum(lines) as lines
      from (
        select line.plan_id, cycle.months, count(*) as lines
        from cycle left join line on line.id = cycle.service_line_id
        group by line.plan_id, cycle.months
      ) as counted cross join generate_series(1, ${MONTHS}::integer) as month
      where counted.months & (1 << month - 1) <> 0
      group by plan_id, month)
    select pool.id as pool_id, pool.name as pool_name, pool.group_name as pool_group, plan.group_name,
      coalesce(product.name, plan.product_name) as product_name,
      case when product.currency = 'USD' then product.price_cents end as price_cents, each.month,
      coalesce(used.gb, 0) as gb, coalesce(used.compared_gb, 0) as compared_gb, used.first_day::text as first_day,
      coalesce(case each.month when ${running}::bigint then plan.lines else served.lines end, 0)::integer as lines
    from plan
    left join pools as pool on pool.tenant_id = ${tenantId} and pool.id = plan.pool_id
    left join vendor_products as product on product.tenant_id = ${tenantId} and product.credential_id = plan.credential_id
      and product.product_id = plan.product_id
    cross join unnest(${firsts}::date[]) with ordinality as each (first, month)
    left join used on used.plan_id = plan.id and used.month = each.first
    left join served on served.plan_id = plan.id and served.month = each.month
    order by plan.id`.execute(db)
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
    firsts,
    until: firstDay(shiftMonth(month, 1)),
    running: months.indexOf(running) + 1,
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
      data_GB: empty(),
      lines: empty(),
      price_usd: empty(),
      unpriced_lines: empty(),
      compared_GB: 0,
      before_GB: 0,
    }
    plans.set(key, plan)
    const add = (values: number[], more: number) => {
      const index = row.month - 1
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
    month,
    running,
    months,
    comparedDays,
    firstDays: months.map((_, index) => {
      const days = rows.flatMap(({ month: each, first_day }) => (each === index + 1 && first_day ? [first_day] : []))
      return days.length === 0 ? null : days.reduce((least, day) => (day < least ? day : least))
    }),
    plans: [...plans.values()].map((plan) => ({ ...plan, price_usd: plan.price_usd.map((cents) => cents / 100) })),
  }
}
