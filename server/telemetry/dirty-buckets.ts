import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { TerminalRows } from './stage-samples.ts'
import { forEachBucket, getTier, type Tier, type TierName, tiers } from './tiers.ts'

export interface FeedScope {
  tenantId: string
  credentialId: number
}

/** Buckets of one tier that must be recomputed. */
export interface DirtyBucket {
  atMs: number
  /** Covers all terminals of the credential, in addition to `terminalIds`. */
  whole: boolean
  terminalIds: number[]
  /** The number of new samples since the last computation; null if unknown. */
  samples: number | null
}

const fromSamples = tiers.filter(({ from }) => from === 'samples')

interface Stored {
  /** The stored samples, each terminal's in order of time. */
  terminals: readonly TerminalRows[]
  /** Whether none of the samples existed before. */
  areNew: boolean
  /** The terminals of the feed's credential. */
  own: ReadonlySet<number>
}

// Listing many terminals costs more than computing all of them.
const WHOLE_FROM_SHARE = 0.25

/**
 * Records which buckets new samples belong to. Each row, new or existing, stays locked until the transaction ends, so
 * that a rollup of the bucket waits and then sees these samples.
 */
export const markSamplesDirty = async (db: Db, feed: FeedScope, { terminals, areNew, own }: Stored): Promise<void> => {
  const marks = await listWatermarks(db, feed)
  const work = fromSamples.flatMap(({ name, bucketMs }) =>
    [...groupByBucket(terminals, bucketMs)].map(([atMs, { touched, samples }]) => {
      const isOpen = atMs >= (marks.get(name) ?? 0)
      const foreign = touched.filter((id) => !own.has(id))
      const whole = isOpen || touched.length - foreign.length >= own.size * WHOLE_FROM_SHARE
      return { tier: name, atMs, whole, terminalIds: whole ? foreign : touched, samples: areNew ? samples : null }
    }),
  )
  await markDirty(db, feed, work)
}

const groupByBucket = (terminals: readonly TerminalRows[], bucketMs: number) => {
  const buckets = new Map<number, { touched: number[]; samples: number }>()
  for (const { terminalId, samples } of terminals)
    forEachBucket(samples, bucketMs, (atMs, start, end) => {
      let bucket = buckets.get(atMs)
      if (!bucket) {
        bucket = { touched: [], samples: 0 }
        buckets.set(atMs, bucket)
      }
      bucket.touched.push(terminalId)
      bucket.samples += end - start
    })
  return buckets
}

export const markDirty = async (
  db: Db,
  { tenantId, credentialId }: FeedScope,
  work: readonly (DirtyBucket & { tier: TierName })[],
): Promise<void> => {
  if (work.length === 0) return
  const rows = work.map(({ tier, atMs, whole, terminalIds, samples }) => ({
    tier,
    at: new Date(atMs).toISOString(),
    whole,
    terminal_ids: terminalIds,
    samples,
  }))
  await sql`
    insert into dirty_buckets as known (tenant_id, credential_id, tier, at, whole, samples, terminal_ids)
    select ${tenantId}, ${credentialId}, dirty.tier, dirty.at, dirty.whole, dirty.samples,
      array(select jsonb_array_elements_text(dirty.terminal_ids)::bigint)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as dirty (
      tier text, at timestamptz, whole boolean, samples integer, terminal_ids jsonb)
    order by dirty.tier, dirty.at
    on conflict (tenant_id, credential_id, tier, at) do update set
      whole = known.whole or excluded.whole,
      samples = known.samples + excluded.samples,
      terminal_ids = case
        when known.terminal_ids @> excluded.terminal_ids then known.terminal_ids
        else array(select unnest(known.terminal_ids) union select unnest(excluded.terminal_ids))
      end`.execute(db)
}

interface Ready {
  /** Buckets that end by this time are closed. */
  closedMs: number
  /** Days whose partitions exist. Buckets of other days may have been marked since these were created. */
  days: readonly string[]
  limit: number
}

/**
 * Claims the oldest buckets that are ready and that no other process is computing. A sample added to one of them later
 * marks it dirty again.
 */
export const claimDirty = async (
  db: Db,
  { tenantId, credentialId }: FeedScope,
  { name, bucketMs }: Tier,
  { closedMs, days, limit }: Ready,
): Promise<DirtyBucket[]> => {
  const { rows } = await sql<{ at: Date; whole: boolean; samples: number | null; terminal_ids: number[] }>`
    with taken as (
      select at from dirty_buckets
      where tenant_id = ${tenantId} and credential_id = ${credentialId} and tier = ${name}
        and at <= ${new Date(closedMs - bucketMs)} and (at at time zone 'UTC')::date = any(${days}::date[])
      order by at
      limit ${limit}
      for update skip locked
    )
    delete from dirty_buckets as dirty using taken
    where dirty.tenant_id = ${tenantId} and dirty.credential_id = ${credentialId} and dirty.tier = ${name}
      and dirty.at = taken.at
    returning dirty.at, dirty.whole, dirty.samples, dirty.terminal_ids::float8[] as terminal_ids`.execute(db)
  return rows
    .map(({ at, whole, samples, terminal_ids }) => ({ atMs: at.getTime(), whole, samples, terminalIds: terminal_ids }))
    .sort((one, other) => one.atMs - other.atMs)
}

export const listWatermarks = async (db: Db, { tenantId, credentialId }: FeedScope): Promise<Map<TierName, number>> => {
  const rows = await db
    .selectFrom('rollup_watermarks')
    .select(['tier', 'complete_until'])
    .where('tenant_id', '=', tenantId)
    .where('credential_id', '=', credentialId)
    .execute()
  return new Map(rows.map((row) => [row.tier as TierName, row.complete_until.getTime()]))
}

/** The tier and all of its sources. */
const listSources = (tier: Tier): TierName[] =>
  tier.from === 'samples' ? [tier.name] : [tier.name, ...listSources(getTier(tier.from))]

/**
 * Records that the tier is computed, unless another process is still computing part of it: then that process records it.
 * Returns whether the tier is complete.
 */
export const advanceWatermark = async (
  db: Db,
  { tenantId, credentialId }: FeedScope,
  tier: Tier,
  untilMs: number,
): Promise<boolean> => {
  const { rows } = await sql<{ complete: boolean }>`
    with left_over as (
      select exists (
        select from dirty_buckets
        where tenant_id = ${tenantId} and credential_id = ${credentialId} and tier = any(${listSources(tier)})
          and at < ${new Date(untilMs)}) as any),
    advanced as (
      insert into rollup_watermarks as known (tenant_id, credential_id, tier, complete_until)
      select ${tenantId}, ${credentialId}, ${tier.name}, ${new Date(untilMs)} from left_over where not left_over.any
      on conflict (tenant_id, credential_id, tier) do update set complete_until = excluded.complete_until
      where excluded.complete_until > known.complete_until)
    select not left_over.any as complete from left_over`.execute(db)
  return rows[0]?.complete === true
}
