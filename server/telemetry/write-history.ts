import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { recordCoverage } from './coverage.ts'
import { type FeedScope, markDirty } from './dirty-buckets.ts'
import { ensurePartitions, ensureTierPartitions, formatUtcDay } from './partitions.ts'
import { writePastStatus } from './past-status.ts'
import { rollupFrom } from './rollup.ts'
import { stageSamples, type TerminalRows, writeSamples } from './stage-samples.ts'
import { getBucketStart, type Tier, tiers } from './tiers.ts'

interface History {
  feed: FeedScope
  /** Rows of some of the feed's own terminals, each terminal's in order of time and complete for the span. */
  terminals: readonly TerminalRows[]
  /**
   * Whether all other terminals of the feed have been written. Only then is the span recorded as covered, so an
   * interrupted span is written again, which is idempotent.
   */
  isLast: boolean
  /** The span starts and ends on bucket boundaries of every tier. */
  fromMs: number
  toMs: number
  /** The interval between a terminal's rows. */
  stepMs: number
  /** Older samples are not stored. They only go into the tiers. */
  samplesFromMs: number
  nowMs: number
}

const DAY_MS = 86_400_000

const listDays = (fromMs: number, toMs: number) => {
  const days: string[] = []
  for (let day = Math.floor(fromMs / DAY_MS); day * DAY_MS < toMs; day++) days.push(formatUtcDay(day * DAY_MS))
  return days
}

/** Stores telemetry from before the feed started, as the feed would have stored it. Newer pieces come first. */
export const writeHistory = async (database: Database, history: History): Promise<void> => {
  // In its own transaction, because live batches wait for it. It comes first, because the coverage recorded with the
  // samples marks the piece as complete.
  await writePastStatus(database, history)
  await (history.fromMs >= history.samplesFromMs ? writeAsSamples(database, history) : writeAsTiers(database, history))
}

const writeAsSamples = async (database: Database, { feed, terminals, isLast, fromMs, toMs }: History) => {
  await ensurePartitions(database, listDays(fromMs, toMs))
  await database.transaction(feed, async (db, client) => {
    // A batch may be applied concurrently, so rows are locked in the same order as there.
    if (isLast) await recordCoverage(db, feed, [{ fromMs, toMs }])
    await writeSamples(db, client, feed.tenantId, terminals)
    if (isLast) await markDirty(db, feed, listDirty(fromMs, toMs))
  })
}

/** All buckets computed from the samples of a span. Marked once, each is computed once for the whole fleet. */
const listDirty = (fromMs: number, toMs: number) =>
  tiers
    .filter(({ from }) => from === 'samples')
    .flatMap(({ name, bucketMs }) => {
      const firstMs = getBucketStart(fromMs, bucketMs)
      return Array.from({ length: Math.ceil((toMs - firstMs) / bucketMs) }, (_, index) => ({
        tier: name,
        atMs: firstMs + index * bucketMs,
        whole: true,
        terminalIds: [],
        samples: null,
      }))
    })

const writeAsTiers = async (database: Database, { feed, terminals, isLast, fromMs, toMs, nowMs }: History) => {
  const isRetained = ({ retentionDays }: Tier) => fromMs >= nowMs - retentionDays * DAY_MS
  const retained = tiers.filter(isRetained)
  for (const { name } of retained) await ensureTierPartitions(database, name, listDays(fromMs, toMs))
  await database.transaction(feed, async (db, client) => {
    // First, as in a batch: waiting for it while holding a tier's buckets could deadlock with a rollup.
    if (isLast) await recordCoverage(db, feed, [{ fromMs, toMs }])
    await stageSamples(client, terminals)
    await client.query('create index on staged_samples (terminal_id, at)')
    await client.query('analyze staged_samples')
    const terminalIds = terminals.map(({ terminalId }) => terminalId)
    for (const tier of retained)
      await rollupFrom(db, feed.tenantId, { tier, terminalIds, fromMs, toMs }, sql.table('staged_samples'), 'samples')
  })
}
