import { sql } from 'kysely'
import type { StarlinkClient } from '#starlink/client.ts'
import type { BillingCycle, LineUsage } from '#starlink/wire-usage.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { refreshStatistics } from '../platform/database/refresh-statistics.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { recordFeedSuccess } from '../telemetry/feed-state.ts'
import type { WarnOnce } from '../telemetry/warn-once.ts'

const KNOWN_BLOCK_TYPES = new Set([
  'IncludedWithBaseSubscription',
  'RecurringPerBillingCycle',
  'OneTimePurchase',
  'Overage',
])

interface Options {
  database: Database
  client: Pick<StarlinkClient, 'readUsage'>
  tenantId: string
  credentialId: number
  now: () => number
  warnOnce: WarnOnce
  previousBillingCycles: number
}

/** Stores each line's usage, page by page. The vendor corrects past days, so stored values are replaced. */
export const syncUsage = async (options: Options): Promise<{ lines: number }> => {
  const { database, client, tenantId, credentialId, now, warnOnce, previousBillingCycles } = options
  const onPage = async (lines: LineUsage[]) => {
    for (const type of lines
      .flatMap(({ billingCycles }) => billingCycles.flatMap(listBlocks))
      .map((block) => block.dataBlockType))
      if (!KNOWN_BLOCK_TYPES.has(type)) warnOnce('The vendor sold a data block of an unknown type. It is stored.', type)
    const begun = lines.map((line) => withoutFutureCycles(line, now()))
    await database.transaction({ tenantId }, (db) => storeUsage(db, tenantId, begun))
  }
  const { ids } = await client.readUsage({ previousBillingCycles }, { onPage })
  await database.transaction({ tenantId }, async (db) => {
    await recordFeedSuccess(db, { tenantId, credentialId, feed: 'usage', at: new Date(now()) })
    await enqueue(db, 'pools', tenantId)
  })
  return { lines: ids.size }
}

/** A line has a few. */
const MAX_BLOCKS = 100

const listBlocks = ({ dataPoolUsage }: BillingCycle) =>
  (dataPoolUsage ?? []).flatMap(({ dataBlocks }) => dataBlocks).slice(0, MAX_BLOCKS)

const toDate = (moment: string) => moment.slice(0, 10)

const CLOCK_SKEW_MS = 86_400_000

/** A cycle from the future would hide the current one until it begins. */
const withoutFutureCycles = (usage: LineUsage, nowMs: number): LineUsage => {
  const latest = new Date(nowMs + CLOCK_SKEW_MS).toISOString()
  return { ...usage, billingCycles: usage.billingCycles.filter(({ startDate }) => toDate(startDate) <= toDate(latest)) }
}

/**
 * The ids are looked up once per line, not by a join in each statement: right after the first inventory PostgreSQL has no
 * statistics yet and would compare every reported day with every line of the tenant.
 */
const findLineIds = async (db: Db, tenantId: string, lines: readonly LineUsage[]) => {
  const numbers = lines.map((line) => line.serviceLineNumber)
  const known = await db
    .selectFrom('service_lines')
    .select(['id', 'service_line_number', 'is_mobile'])
    .where('tenant_id', '=', tenantId)
    .where('service_line_number', '=', sql<string>`any(${numbers})`)
    .execute()
  const byNumber = new Map(known.map((line) => [line.service_line_number, line]))
  return lines.flatMap((reported) => {
    const line = byNumber.get(reported.serviceLineNumber)
    return line ? [{ ...reported, id: line.id, wasMobile: line.is_mobile }] : []
  })
}

const storeUsage = async (db: Db, tenantId: string, reported: readonly LineUsage[]) => {
  const lines = await findLineIds(db, tenantId, reported)
  const cycles = lines.flatMap((line) =>
    line.billingCycles.map((cycle) => ({
      id: line.id,
      cycle_start: toDate(cycle.startDate),
      cycle_end: toDate(cycle.endDate),
      priority_gb: cycle.totalPriorityGB,
      standard_gb: cycle.totalStandardGB,
      opt_in_priority_gb: cycle.totalOptInPriorityGB,
      non_billable_gb: cycle.totalNonBillableGB,
      usage_limit_gb: line.servicePlan?.usageLimitGB ?? null,
      data_blocks: listBlocks(cycle),
    })),
  )
  await sql`
    insert into line_usage as known (tenant_id, service_line_id, cycle_start, cycle_end, priority_gb, standard_gb,
      opt_in_priority_gb, non_billable_gb, usage_limit_gb, data_blocks)
    select distinct on (reported.id, reported.cycle_start) ${tenantId}, reported.id, reported.cycle_start, reported.cycle_end,
      reported.priority_gb, reported.standard_gb, reported.opt_in_priority_gb, reported.non_billable_gb, reported.usage_limit_gb,
      reported.data_blocks
    from jsonb_to_recordset(${JSON.stringify(cycles)}::jsonb) as reported (id bigint, cycle_start date, cycle_end date,
      priority_gb double precision, standard_gb double precision, opt_in_priority_gb double precision,
      non_billable_gb double precision, usage_limit_gb double precision, data_blocks jsonb)
    on conflict (tenant_id, service_line_id, cycle_start) do update set
      cycle_end = excluded.cycle_end, priority_gb = excluded.priority_gb, standard_gb = excluded.standard_gb,
      opt_in_priority_gb = excluded.opt_in_priority_gb, non_billable_gb = excluded.non_billable_gb,
      usage_limit_gb = excluded.usage_limit_gb, data_blocks = excluded.data_blocks, updated_at = now()`.execute(db)

  const days = lines.flatMap(({ id, billingCycles }) =>
    billingCycles.flatMap(({ dailyDataUsage }) => dailyDataUsage.map((day) => ({ id, ...day }))),
  )
  const list = (read: (day: (typeof days)[number]) => number | string) => `{${days.map(read).join()}}`
  // By columns, because of a row of JSON most is names, and a page has thousands of days.
  await sql`
    insert into daily_usage as known (tenant_id, service_line_id, day, priority_gb, standard_gb, opt_in_priority_gb,
      non_billable_gb)
    select distinct on (reported.id, reported.day) ${tenantId}, reported.id, reported.day, reported.priority_gb,
      reported.standard_gb, reported.opt_in_priority_gb, reported.non_billable_gb
    from unnest(${list(({ id }) => id)}::bigint[], ${list(({ date }) => toDate(date))}::date[],
      ${list(({ priorityGB }) => priorityGB)}::float8[], ${list(({ standardGB }) => standardGB)}::float8[],
      ${list(({ optInPriorityGB }) => optInPriorityGB)}::float8[], ${list(({ nonBillableGB }) => nonBillableGB)}::float8[]
    ) as reported (id, day, priority_gb, standard_gb, opt_in_priority_gb, non_billable_gb)
    on conflict (tenant_id, service_line_id, day) do update set
      priority_gb = excluded.priority_gb, standard_gb = excluded.standard_gb,
      opt_in_priority_gb = excluded.opt_in_priority_gb, non_billable_gb = excluded.non_billable_gb
    where (known.priority_gb, known.standard_gb, known.opt_in_priority_gb, known.non_billable_gb)
      is distinct from
      (excluded.priority_gb, excluded.standard_gb, excluded.opt_in_priority_gb, excluded.non_billable_gb)`.execute(db)
  await refreshStatistics(db, { line_usage: cycles.length, daily_usage: days.length, monthly_usage: cycles.length })

  // Only the plan in the usage response says whether a line is mobile.
  for (const isMobile of [true, false]) {
    const ids = lines.filter((line) => line.servicePlan?.isMobilePlan === isMobile && line.wasMobile !== isMobile)
    await setMobile(
      db,
      tenantId,
      ids.map(({ id }) => id),
      isMobile,
    )
  }
}

const setMobile = async (db: Db, tenantId: string, ids: readonly number[], isMobile: boolean) => {
  if (ids.length === 0) return
  await db
    .updateTable('service_lines')
    .set({ is_mobile: isMobile })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', sql<number>`any(${ids})`)
    .execute()
  await notifyLinesChanged(db, tenantId, ids)
}
