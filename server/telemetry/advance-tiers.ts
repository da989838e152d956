import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../platform/database/database.ts'
import { pause } from '../platform/worker/pause.ts'
import { advanceWatermark, claimDirty, type DirtyBucket, markDirty } from './dirty-buckets.ts'
import type { Feed } from './feed.ts'
import { ensureTierPartitions } from './partitions.ts'
import { type Buckets, rollup } from './rollup.ts'
import { getBucketStart, getClosedMs, type Tier, tiers } from './tiers.ts'
import { withAsyncCommit } from './with-async-commit.ts'
import { writeRollups } from './write-rollups.ts'

// Bounds the length of a transaction, even when the rollups are hours behind.
const BUCKETS_AT_ONCE = 8
const DAYS_AT_ONCE = 8

const IDLE_MS = 60_000
const RETRY_MS = 5_000

/** Keeps the tiers up to date with the feed until `stop` is aborted. Buckets that fail stay marked dirty and are retried. */
export const runRollups = async (feed: Feed, stop: AbortSignal): Promise<void> => {
  let failing = false
  while (!stop.aborted) {
    await feed.rollupWake.wait(IDLE_MS, stop)
    if (stop.aborted) return
    try {
      await advanceTiers(feed, stop)
      if (failing) feed.log.info('Telemetry is rolled up again.')
      failing = false
    } catch (error) {
      if (stop.aborted) return
      if (!failing) feed.log.error({ err: error }, 'Telemetry cannot be rolled up. It will be retried.')
      failing = true
      await pause(RETRY_MS, stop)
    }
  }
}

/** Computes every closed bucket whose samples have changed, one tier after another. */
export const advanceTiers = async (feed: Feed, stop?: AbortSignal): Promise<void> => {
  const presentMs = feed.getWatermarkMs()
  if (presentMs === null) return
  for (const tier of tiers) {
    const closedMs = getClosedMs(tier, presentMs)
    while (await advanceOnce(feed, tier, closedMs)) {
      if (stop?.aborted) return
      feed.requestHelp()
    }
    if (await withAsyncCommit(feed, (db) => advanceWatermark(db, feed, tier, closedMs)))
      feed.completeUntilMs.set(tier.name, closedMs)
  }
}

/** Returns whether there may be more. */
const advanceOnce = async (feed: Feed, tier: Tier, closedMs: number): Promise<boolean> => {
  const { tenantId, database } = feed
  const days = await database.transaction({ tenantId }, (db) => listDirtyDays(db, feed, tier, closedMs))
  if (days.length === 0) return false
  await ensureTierPartitions(database, tier.name, days)
  return withAsyncCommit(feed, async (db, client) => {
    // Enough to sort a fleet's rows in memory.
    await client.query("set local work_mem = '64MB'")
    const taken = await claimDirty(db, feed, tier, { closedMs, days, limit: BUCKETS_AT_ONCE })
    const { work, rest } = await writeAccumulated(db, client, feed, tier, taken)
    const own = rest.some(({ whole }) => whole) ? await listOwnTerminals(db, feed) : []
    for (const { terminalIds, fromMs, toMs } of mergeRuns(rest, tier, own))
      await rollup(db, tenantId, { tier, terminalIds, fromMs, toMs })
    await markCoarserDirty(db, feed, tier, work)
    feed.monitor.totals.rollups += taken.length
    return taken.length === BUCKETS_AT_ONCE
  })
}

/** Writes the buckets for which this process has accumulated every sample. `rest` still has to be computed. */
const writeAccumulated = async (
  db: Db,
  client: pg.PoolClient,
  feed: Feed,
  tier: Tier,
  taken: readonly DirtyBucket[],
) => {
  const buckets = taken.map((bucket) => {
    const isCounted = bucket.whole && bucket.samples === feed.accumulator.countSamples(tier.name, bucket.atMs)
    return { ...bucket, isCounted, sums: feed.accumulator.take(tier.name, bucket.atMs) }
  })
  const counted = buckets.filter(({ isCounted }) => isCounted)
  if (counted.length === 0) return { work: taken, rest: taken }
  if (await writeRollups(db, client, { tenantId: feed.tenantId, tier: tier.name, buckets: counted }))
    return { work: taken, rest: buckets.filter(({ isCounted }) => !isCounted) }
  // For a terminal that has moved to another credential, only the sums show that its samples came from this one.
  const work = buckets.map(({ sums, ...bucket }) => ({
    ...bucket,
    terminalIds: [...new Set([...bucket.terminalIds, ...sums.map(({ terminalId }) => terminalId)])],
  }))
  return { work, rest: work }
}

/** Lists more days than one turn computes, because other processes may have claimed all buckets of the oldest days. */
const listDirtyDays = async (db: Db, feed: Feed, tier: Tier, closedMs: number) => {
  const day = sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM-DD')`
  const rows = await db
    .selectFrom('dirty_buckets')
    .select(day.as('day'))
    .distinct()
    .where('tenant_id', '=', feed.tenantId)
    .where('credential_id', '=', feed.credentialId)
    .where('tier', '=', tier.name)
    .where('at', '<=', new Date(closedMs - tier.bucketMs))
    .orderBy('day')
    .limit(DAYS_AT_ONCE)
    .execute()
  return rows.map((row) => row.day)
}

const listOwnTerminals = async (db: Db, { tenantId, credentialId }: Feed) => {
  const rows = await db
    .selectFrom('terminals')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('credential_id', '=', credentialId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Adjacent buckets of the whole credential are computed together, so that each terminal's rows are looked up once. */
const mergeRuns = (work: readonly DirtyBucket[], { bucketMs }: Tier, own: readonly number[]) => {
  const ownIds = new Set(own)
  const runs: Omit<Buckets, 'tier'>[] = []
  let wholeUntilMs = Number.NaN
  for (const { atMs, whole, terminalIds } of work) {
    const toMs = atMs + bucketMs
    const named = whole ? terminalIds.filter((id) => !ownIds.has(id)) : terminalIds
    if (named.length > 0) runs.push({ terminalIds: named, fromMs: atMs, toMs })
    if (!whole) continue
    const before = runs.findLast((run) => run.terminalIds === own)
    if (before && wholeUntilMs === atMs) before.toMs = toMs
    else runs.push({ terminalIds: own, fromMs: atMs, toMs })
    wholeUntilMs = toMs
  }
  return runs
}

/** A changed bucket also changes the coarser bucket that contains it. */
const markCoarserDirty = async (db: Db, feed: Feed, tier: Tier, work: readonly DirtyBucket[]) => {
  for (const above of tiers.filter(({ from }) => from === tier.name)) {
    const buckets = new Map<number, DirtyBucket & { tier: Tier['name'] }>()
    for (const { atMs, whole, terminalIds } of work) {
      const at = getBucketStart(atMs, above.bucketMs)
      const known = buckets.get(at)
      buckets.set(at, {
        tier: above.name,
        atMs: at,
        whole: whole || (known?.whole ?? false),
        terminalIds: [...new Set([...(known?.terminalIds ?? []), ...terminalIds])],
        samples: null,
      })
    }
    await markDirty(db, feed, [...buckets.values()])
  }
}
