import { sql } from 'kysely'
import { type MeasureColumns, measureColumns } from '../fleet/fleet-queries.ts'
import type { Db, Read } from '../platform/database/database.ts'
import { toIdArray } from '../platform/database/id-array.ts'
import { type Columns, selectColumns, toRows } from '../platform/database/read-in-columns.ts'
import { toReadStatement } from '../platform/database/read-statement.ts'
import { measures } from '../telemetry/measures.ts'
import { SAMPLE_RETENTION_DAYS } from '../telemetry/partitions.ts'
import { PACKED_TIER, type Tier, tiers } from '../telemetry/tiers.ts'

const DAY_MS = 86_400_000
const SAMPLE_STEP_MS = 15_000
/**
 * How far back to search, each step for terminals that were not found yet. Terminals report every 15 seconds, the coverage of
 * a feed extends 30 seconds beyond its last row, and the last report of a terminal that is silent for longer than this is
 * recorded with its status change.
 */
const SEARCHES_MS = [20_000, 90_000, 15 * 60_000]

/** Where the values of a time are stored: samples first, then increasingly coarse tiers. */
export const findSource = (at: Date, now: Date): { tier: Tier | null; stepMs: number } | undefined => {
  const isRetained = (days: number) => at.getTime() >= now.getTime() - days * DAY_MS
  if (isRetained(SAMPLE_RETENTION_DAYS)) return { tier: null, stepMs: SAMPLE_STEP_MS }
  // By then the finest tier is packed, and unpacking a day of each terminal would take long.
  const tier = tiers.find(({ name, retentionDays }) => name !== PACKED_TIER.name && isRetained(retentionDays))
  return tier && { tier, stepMs: tier.bucketMs }
}

export interface PastValues extends Partial<MeasureColumns> {
  terminal_id: number
  /** A number is faster to read than a date. */
  at_ms: number
  /** Null for none. */
  alerts: string[] | null
}

// In whole microseconds first: a fraction of milliseconds would be inexact.
const COLUMNS = [
  'terminal_id',
  "(date_part('epoch', at) * 1000000)::bigint / 1000 as at_ms",
  "nullif(alerts, '{}') as alerts",
]
const TIER_COLUMNS = measures.map(({ sampleColumn, tierColumn }) => `${tierColumn}_last as ${sampleColumn}`)

const listColumns = (more: readonly string[], withMeasures: boolean) =>
  sql.raw([...COLUMNS, ...(withMeasures ? more : [])].join(', '))

interface Window {
  ids: readonly number[]
  fromMs: number
  toMs: number
  withMeasures: boolean
}

// Without a join, so that a distributed database can push them down to each shard.

const selectSamples = (tenantId: string, { ids, fromMs, toMs, withMeasures }: Window) => sql`
  select distinct on (terminal_id) ${listColumns(measureColumns, withMeasures)}
  from samples
  where tenant_id = ${tenantId} and terminal_id = any(${toIdArray(ids)})
    and at > ${new Date(fromMs)} and at <= ${new Date(toMs)}
  order by terminal_id, at desc`

/** Only buckets that had ended by then: the others contain later samples. */
const selectBuckets = (tenantId: string, { name, bucketMs }: Tier, window: Window) => {
  const { ids, fromMs, toMs, withMeasures } = window
  return sql`
    select distinct on (terminal_id) ${listColumns(TIER_COLUMNS, withMeasures)}
    from ${sql.table(name)}
    where tenant_id = ${tenantId} and terminal_id = any(${toIdArray(ids)})
      and at > ${new Date(fromMs - 2 * bucketMs)} and at <= ${new Date(toMs - bucketMs)}
    order by terminal_id, at desc`
}

/** The last report, with its values, of each terminal that reported within 15 minutes before the given time. */
export const readValues = async (
  read: Read,
  tenantId: string,
  { ids, toMs, tier, withMeasures }: Pick<Window, 'ids' | 'toMs' | 'withMeasures'> & { tier: Tier | null },
) => {
  const found = new Map<number, PastValues>()
  const columns = ['terminal_id', 'at_ms', 'alerts', ...(withMeasures ? measureColumns : [])] as const
  const select = (window: Window) => (tier ? selectBuckets(tenantId, tier, window) : selectSamples(tenantId, window))
  // Few terminals are silent, and reading fewer rows of the others is faster.
  let missing = ids
  for (const backMs of SEARCHES_MS) {
    // Prepared: to plan a list of thousands of terminals takes a tenth of the time of reading them.
    const query = select({ ids: missing, fromMs: toMs - backMs, toMs, withMeasures })
    const [rows] = await read<Columns<PastValues>>(toReadStatement(selectColumns<PastValues>(columns, query)))
    for (const row of toRows(columns, rows as Columns<PastValues>)) found.set(row.terminal_id, row)
    missing = missing.filter((id) => !found.has(id))
    if (missing.length === 0) break
  }
  return found
}

/** Telemetry is later than this only after a long outage of the vendor. */
const RECEIPTS_BACK = '1 day'

/**
 * The newest row of each account that had been stored by a time; it is older while a feed is late. If batches left no
 * receipts, as for imported history, it is the feed's coverage as known today.
 */
export const readObservedUntil = async (db: Db, tenantId: string, at: Date) => {
  const { rows } = await sql<{ credential_id: number; until: Date }>`
    with received as (
      select credential_id, max(last_sample_at) as until from telemetry_batches
      where tenant_id = ${tenantId} and received_at <= ${at} and applied_at <= ${at}
        and received_at > ${at}::timestamptz - interval '${sql.raw(RECEIPTS_BACK)}' and last_sample_at is not null
      group by credential_id),
    covered as (
      select credential_id, max(upper(span)) as until
      from feed_coverage, unnest(observed) as span
      where tenant_id = ${tenantId} and lower(span) <= ${at}
        and day between (${at}::timestamptz at time zone 'UTC')::date - 2 and (${at}::timestamptz at time zone 'UTC')::date
      group by credential_id)
    select credential_id, least(coalesce(received.until, covered.until), ${at}::timestamptz) as until
    from received full join covered using (credential_id)`.execute(db)
  return new Map(rows.map((row) => [row.credential_id, row.until.getTime()]))
}
