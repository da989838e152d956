import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../platform/database/database.ts'
import { BinaryCopy } from './binary-copy.ts'
import { declareRealColumns, measures, tierColumns } from './measures.ts'
import { MAX_COUNT, TIER_COLUMNS } from './rollup.ts'
import type { Rollup } from './rollup-accumulator.ts'
import type { TierName } from './tiers.ts'
import { tryInsert } from './try-insert.ts'

const FIELDS_PER_MEASURE = 5

const writeRow = (copy: BinaryCopy, atMs: number, { terminalId, n, values, alerts }: Rollup) => {
  copy.row(3 + tierColumns.length + 2)
  copy.int8(terminalId)
  copy.timestamp(atMs * 1000)
  copy.int4(Math.min(n, MAX_COUNT))
  let isComplete = true
  const nonNullCounts: number[] = []
  for (let place = 0; place < measures.length; place++) {
    const at = place * FIELDS_PER_MEASURE
    const count = values[at + 4] as number
    // Infinity and NaN mean that there was no value, and are written as null.
    copy.float4(values[at] as number)
    copy.float4(values[at + 1] as number)
    copy.float4(count === 0 ? null : (values[at + 2] as number))
    copy.float4(values[at + 3] as number)
    nonNullCounts.push(Math.min(count, MAX_COUNT))
    if (count !== n) isComplete = false
  }
  copy.text(isComplete ? null : `{${nonNullCounts.join(',')}}`)
  if (alerts) copy.texts(alerts)
  else copy.null()
}

/**
 * Writes buckets that were accumulated as their samples arrived. Returns false and writes none if one already exists:
 * then another feed has reported the same terminal, and the bucket must be computed from the samples.
 */
export const writeRollups = async (
  db: Db,
  client: pg.PoolClient,
  {
    tenantId,
    tier,
    buckets,
  }: { tenantId: string; tier: TierName; buckets: readonly { atMs: number; sums: Rollup[] }[] },
): Promise<boolean> => {
  const copy = new BinaryCopy()
  for (const { atMs, sums } of buckets) for (const sum of sums) writeRow(copy, atMs, sum)
  await client.query(`create temp table staged_sums (
    terminal_id bigint, at timestamptz, n integer, ${declareRealColumns(tierColumns)}, non_null_counts text,
    alerts text[]) on commit drop`)
  await copy.send(client, 'staged_sums')
  return tryInsert(db, client, {
    table: tier,
    rows: buckets.reduce((count, { sums }) => count + sums.length, 0),
    statement: sql`
    insert into ${sql.table(tier)} (tenant_id, terminal_id, at, ${sql.raw(TIER_COLUMNS)})
    select ${tenantId}, terminal_id, at, n, ${sql.raw(tierColumns.join(', '))}, non_null_counts::smallint[], alerts
    from staged_sums`,
  })
}
