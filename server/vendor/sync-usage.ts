import { sql } from 'kysely'
import type { StarlinkClient } from '#starlink/client.ts'
import type { LineUsage } from '#starlink/wire-usage.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Database, Db } from '../platform/database/database.ts'
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
    for (const type of lines.flatMap(listBlocks).map((block) => block.dataBlockType))
      if (!KNOWN_BLOCK_TYPES.has(type)) warnOnce('The vendor sold a data block of an unknown type. It is stored.', type)
    await database.transaction({ tenantId }, (db) => storeUsage(db, tenantId, lines))
  }
  const { ids } = await client.readUsage({ previousBillingCycles }, { onPage })
  await database.transaction({ tenantId }, async (db) => {
    await recordFeedSuccess(db, { tenantId, credentialId, feed: 'usage', at: new Date(now()) })
    await enqueue(db, 'pools', tenantId)
  })
  return { lines: ids.size }
}

const listBlocks = (usage: LineUsage) =>
  usage.billingCycles.flatMap((cycle) => (cycle.dataPoolUsage ?? []).flatMap((pool) => pool.dataBlocks))

const toDate = (moment: string) => moment.slice(0, 10)

const storeUsage = async (db: Db, tenantId: string, lines: readonly LineUsage[]) => {
  const cycles = lines.flatMap((line) =>
    line.billingCycles.map((cycle) => ({
      number: line.serviceLineNumber,
      cycle_start: toDate(cycle.startDate),
      cycle_end: toDate(cycle.endDate),
      priority_gb: cycle.totalPriorityGB,
      standard_gb: cycle.totalStandardGB,
      opt_in_priority_gb: cycle.totalOptInPriorityGB,
      non_billable_gb: cycle.totalNonBillableGB,
      usage_limit_gb: line.servicePlan?.usageLimitGB ?? null,
      data_blocks: (cycle.dataPoolUsage ?? []).flatMap((pool) => pool.dataBlocks),
    })),
  )
  await sql`
    insert into line_usage as known (tenant_id, service_line_id, cycle_start, cycle_end, priority_gb, standard_gb,
      opt_in_priority_gb, non_billable_gb, usage_limit_gb, data_blocks)
    select distinct on (line.id, reported.cycle_start) ${tenantId}, line.id, reported.cycle_start, reported.cycle_end,
      reported.priority_gb, reported.standard_gb, reported.opt_in_priority_gb, reported.non_billable_gb, reported.usage_limit_gb,
      reported.data_blocks
    from jsonb_to_recordset(${JSON.stringify(cycles)}::jsonb) as reported (number text, cycle_start date, cycle_end date,
      priority_gb double precision, standard_gb double precision, opt_in_priority_gb double precision,
      non_billable_gb double precision, usage_limit_gb double precision, data_blocks jsonb)
    join service_lines as line on line.tenant_id = ${tenantId} and line.service_line_number = reported.number
    on conflict (tenant_id, service_line_id, cycle_start) do update set
      cycle_end = excluded.cycle_end, priority_gb = excluded.priority_gb, standard_gb = excluded.standard_gb,
      opt_in_priority_gb = excluded.opt_in_priority_gb, non_billable_gb = excluded.non_billable_gb,
      usage_limit_gb = excluded.usage_limit_gb, data_blocks = excluded.data_blocks, updated_at = now()`.execute(db)

  const days = lines.flatMap((line) =>
    line.billingCycles.flatMap((cycle) =>
      cycle.dailyDataUsage.map((day) => ({
        number: line.serviceLineNumber,
        day: toDate(day.date),
        priority_gb: day.priorityGB,
        standard_gb: day.standardGB,
        opt_in_priority_gb: day.optInPriorityGB,
        non_billable_gb: day.nonBillableGB,
      })),
    ),
  )
  await sql`
    insert into daily_usage as known (tenant_id, service_line_id, day, priority_gb, standard_gb, opt_in_priority_gb,
      non_billable_gb)
    select distinct on (line.id, reported.day) ${tenantId}, line.id, reported.day, reported.priority_gb, reported.standard_gb,
      reported.opt_in_priority_gb, reported.non_billable_gb
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as reported (number text, day date,
      priority_gb double precision, standard_gb double precision, opt_in_priority_gb double precision,
      non_billable_gb double precision)
    join service_lines as line on line.tenant_id = ${tenantId} and line.service_line_number = reported.number
    on conflict (tenant_id, service_line_id, day) do update set
      priority_gb = excluded.priority_gb, standard_gb = excluded.standard_gb,
      opt_in_priority_gb = excluded.opt_in_priority_gb, non_billable_gb = excluded.non_billable_gb
    where (known.priority_gb, known.standard_gb, known.opt_in_priority_gb, known.non_billable_gb)
      is distinct from
      (excluded.priority_gb, excluded.standard_gb, excluded.opt_in_priority_gb, excluded.non_billable_gb)`.execute(db)

  // Only the plan in the usage response says whether a line is mobile.
  const mobile = lines.flatMap((line) =>
    line.servicePlan ? [{ number: line.serviceLineNumber, is_mobile: line.servicePlan.isMobilePlan }] : [],
  )
  const { rows } = await sql<{ id: number }>`
    update service_lines as line set is_mobile = reported.is_mobile
    from jsonb_to_recordset(${JSON.stringify(mobile)}::jsonb) as reported (number text, is_mobile boolean)
    where line.tenant_id = ${tenantId} and line.service_line_number = reported.number
      and line.is_mobile <> reported.is_mobile
    returning line.id`.execute(db)
  await notifyLinesChanged(
    db,
    tenantId,
    rows.map(({ id }) => id),
  )
}
