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
/** The month `by` months later; earlier if that is negative. */
const shiftMonth = (month: string, by: number) => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return toMonth(new Date(Date.UTC(year, number - 1 + by, 1)).toISOString())
}
const countDays = (month: string) => Number(addDays(firstDay(shiftMonth(month, 1)), -1).slice(8))

interface LineRow {
  id: number
  pool_id: number | null
  pool_name: string | null
  pool_group: string | null
  group_name: string
  product_name: string | null
  price_cents: number | null
  is_present: boolean
}

/** Every line that is or was there, with the plan that it counts in and its price of today. */
const listLines = async (db: Db, tenantId: string, accountGroup: AccountGroup | undefined) => {
  const chosen = accountGroup === undefined ? sql`` : sql`and line.account_group = ${accountGroup}`
  const { rows } = await sql<LineRow>`
    select line.id, pool.id as pool_id, pool.name as pool_name, pool.group_name as pool_group, line.group_name,
      coalesce(product.name, line.product_name) as product_name,
      case when product.currency = 'USD' then product.price_cents end as price_cents,
      line.removed_at is null as is_present
    from service_lines as line
    left join pool_lines as member on member.tenant_id = line.tenant_id and member.service_line_id = line.id
    left join pools as pool on pool.tenant_id = member.tenant_id and pool.id = member.pool_id
    left join vendor_products as product on product.tenant_id = line.tenant_id
      and product.credential_id = line.credential_id and product.product_id = line.product_id
    where line.tenant_id = ${tenantId} ${chosen}
    order by line.id`.execute(db)
  return rows
}

interface Span {
  from: string
  /** The day after the last one. */
  until: string
}

interface UsageRow {
  line_id: number
  month: string
  gb: number
  /** Of the days that are compared. */
  compared_gb: number
  first_day: string
}

const listUsage = async (db: Db, tenantId: string, { from, until }: Span, comparedDays: number) => {
  const { rows } = await sql<UsageRow>`
    select service_line_id as line_id, to_char(day, 'YYYY-MM') as month, sum(priority_gb + standard_gb) as gb,
      coalesce(sum(priority_gb + standard_gb) filter (where extract(day from day) <= ${comparedDays}), 0) as compared_gb,
      min(day)::text as first_day
    from daily_usage
    where tenant_id = ${tenantId} and day >= ${from}::date and day < ${until}::date
    group by 1, 2`.execute(db)
  return rows
}

/** The months in which each line had a billing cycle: those that it was paid for. */
const listServiceMonths = async (db: Db, tenantId: string, { from, until }: Span) => {
  const { rows } = await sql<{ line_id: number; months: string[] }>`
    select usage.service_line_id as line_id, array_agg(distinct to_char(month, 'YYYY-MM')) as months
    from line_usage as usage
    cross join generate_series(${from}::timestamp, ${until}::timestamp - interval '1 day', interval '1 month') as month
    where usage.tenant_id = ${tenantId} and usage.cycle_start < month + interval '1 month' and usage.cycle_end > month
    group by 1`.execute(db)
  return new Map(rows.map(({ line_id, months }) => [line_id, new Set(months)]))
}

interface Wanted {
  now: Date
  month?: string | undefined
  group?: AccountGroup | undefined
}

/** Data and prices of each plan in the months until the wanted one. Lines count in the plan in which they are today. */
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
  // Like with like: as many whole days of both months.
  const wholeDays = month === running ? Number(today.slice(8)) - 1 : countDays(month)
  const comparedDays = Math.min(wholeDays, countDays(before))
  const span = { from: firstDay(months[0] as string), until: firstDay(shiftMonth(month, 1)) }
  const lines = await listLines(db, tenantId, group)
  const usage = await listUsage(db, tenantId, span, comparedDays)
  const service = await listServiceMonths(db, tenantId, span)
  const usageByLine = Map.groupBy(usage, ({ line_id }) => line_id)
  const isInService = (line: LineRow, each: string) =>
    each === running ? line.is_present : (service.get(line.id)?.has(each) ?? false)
  const empty = () => months.map(() => 0)
  const plans = new Map<string, PlanMonths>()
  for (const line of lines) {
    const key = getPlanKey(line)
    const plan = plans.get(key) ?? {
      plan_name: getPlanName(line),
      customer_group: line.pool_id === null ? line.group_name : line.pool_group,
      ...{ data_GB: empty(), lines: empty(), price_usd: empty(), unpriced_lines: empty() },
      ...{ compared_GB: 0, before_GB: 0 },
    }
    plans.set(key, plan)
    for (const [index, each] of months.entries())
      if (isInService(line, each)) {
        plan.lines[index] = (plan.lines[index] ?? 0) + 1
        if (line.price_cents === null) plan.unpriced_lines[index] = (plan.unpriced_lines[index] ?? 0) + 1
        else plan.price_usd[index] = (plan.price_usd[index] ?? 0) + line.price_cents
      }
    for (const used of usageByLine.get(line.id) ?? []) {
      const index = months.indexOf(used.month)
      plan.data_GB[index] = (plan.data_GB[index] ?? 0) + used.gb
      if (used.month === month) plan.compared_GB += used.compared_gb
      if (used.month === before) plan.before_GB += used.compared_gb
    }
  }
  return {
    ...{ month, running, months, comparedDays },
    firstDays: months.map((each) => {
      const days = usage.filter((row) => row.month === each).map(({ first_day }) => first_day)
      return days.length === 0 ? null : days.reduce((least, day) => (day < least ? day : least))
    }),
    plans: [...plans.values()].map((plan) => ({ ...plan, price_usd: plan.price_usd.map((cents) => cents / 100) })),
  }
}
