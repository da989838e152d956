import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { measures, sqlPerMeasure, tierColumns } from './measures.ts'
import type { Tier } from './tiers.ts'

export interface Buckets {
  tier: Tier
  terminalIds: readonly number[]
  /** Whole buckets, from the start of the first to the end of the last. */
  fromMs: number
  toMs: number
}

const COLUMNS = ['n', ...tierColumns, 'non_null_counts', 'alerts']
export const TIER_COLUMNS = COLUMNS.join(', ')

// No alert's name contains it.
const BETWEEN_ALERTS = "E'\\x1f'"

/**
 * Of a smallint, as counts are stored. A terminal reports 480 times in the longest bucket; one that reports all the time must
 * not stop the charts of the others.
 */
export const MAX_COUNT = 32_767

const atMost = (count: string) => `least(${count}, ${MAX_COUNT})`

const fromSamples = {
  count: atMost('count(*)'),
  values: sqlPerMeasure(
    ({ sampleColumn: sample, tierColumn: tier }) => `min(${sample}) as ${tier}_min, max(${sample}) as ${tier}_max,
      sum(${sample}::float8)::real as ${tier}_sum, ${atMost(`count(${sample})`)} as ${tier}_count`,
  ),
  written: sqlPerMeasure(
    ({ sampleColumn, tierColumn: tier }) =>
      `grouped.${tier}_min, grouped.${tier}_max, grouped.${tier}_sum, newest.${sampleColumn}`,
  ),
}

const fromTier = {
  count: atMost('sum(n)'),
  values: sqlPerMeasure(
    ({ tierColumn: tier }, place) => `min(${tier}_min) as ${tier}_min, max(${tier}_max) as ${tier}_max,
      sum(${tier}_sum::float8)::real as ${tier}_sum, ${atMost(`sum(coalesce(non_null_counts[${place}], n))`)} as ${tier}_count`,
  ),
  written: sqlPerMeasure(
    ({ tierColumn: tier }) => `grouped.${tier}_min, grouped.${tier}_max, grouped.${tier}_sum, newest.${tier}_last`,
  ),
}

const nonNullCounts = (row: string) => {
  const counts = measures.map(({ tierColumn }) => `${row}.${tierColumn}_count`)
  return `case when least(${counts.join(', ')}) < ${row}.n then array[${counts.join(', ')}]::smallint[] end`
}

/**
 * Computes buckets from `source` and writes those that grew. An existing bucket with the same number of samples is left
 * alone: samples are only ever added, so an equal count means the same samples.
 */
export const rollupFrom = async (
  db: Db,
  tenantId: string,
  { tier, terminalIds, fromMs, toMs }: Buckets,
  source: RawBuilder<unknown>,
  kind: 'samples' | 'tier',
): Promise<void> => {
  const { count, values, written } = kind === 'samples' ? fromSamples : fromTier
  const step = sql`make_interval(secs => ${tier.bucketMs / 1000})`
  await sql`
    insert into ${sql.table(tier.name)} as known (tenant_id, terminal_id, at, ${sql.raw(TIER_COLUMNS)})
    select ${tenantId}, grouped.terminal_id, grouped.bucket, grouped.n,
      ${sql.raw(written)},
      ${sql.raw(nonNullCounts('grouped'))},
      case when grouped.alerts is not null then array(
        select distinct alert from unnest(string_to_array(grouped.alerts, ${sql.raw(BETWEEN_ALERTS)})) as alert order by alert)
      end
    from (
      select rows.terminal_id, date_bin(${step}, rows.at, '2000-01-01Z') as bucket, max(rows.at) as newest_at,
        ${sql.raw(count)} as n, ${sql.raw(values)},
        string_agg(array_to_string(alerts, ${sql.raw(BETWEEN_ALERTS)}), ${sql.raw(BETWEEN_ALERTS)})
          filter (where alerts is not null) as alerts
      from ${source} as rows
      where rows.terminal_id = any(${terminalIds}::bigint[]) and rows.at >= ${new Date(fromMs)}
        and rows.at < ${new Date(toMs)}
      group by 1, 2
    ) as grouped
    join ${source} as newest on newest.terminal_id = grouped.terminal_id and newest.at = grouped.newest_at
    order by grouped.terminal_id, grouped.bucket
    on conflict (terminal_id, at) do update set
      ${sql.raw(COLUMNS.map((column) => `${column} = excluded.${column}`).join(', '))}
    where excluded.n > known.n`.execute(db)
}

/** Computes buckets from the tier's source. */
export const rollup = (db: Db, tenantId: string, buckets: Buckets): Promise<void> => {
  const { from } = buckets.tier
  return rollupFrom(db, tenantId, buckets, sql.table(from), from === 'samples' ? 'samples' : 'tier')
}
