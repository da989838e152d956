import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { noteCoverage } from './coverage.ts'
import { dayOf, ensurePartitions, ensureTierPartitions } from './partitions.ts'
import { rollUpFrom } from './roll-up.ts'
import { stageSamples, type TerminalRows, writeSamples } from './stage-samples.ts'
import { type FeedScope, noteSamples } from './tier-work.ts'
import { type Tier, tiers } from './tiers.ts'

interface History {
  feed: FeedScope
  /** Rows of the feed's own terminals, each terminal's in the order of time. */
  terminals: readonly TerminalRows[]
  /** All that there is of this time, from and to whole buckets of every tier. */
  fromMs: number
  toMs: number
  /** Older samples are not kept: they go into the tiers and nowhere else. */
  samplesFromMs: number
  nowMs: number
}

const DAY_MS = 86_400_000

const daysOf = (fromMs: number, toMs: number) => {
  const days: string[] = []
  for (let day = Math.floor(fromMs / DAY_MS); day * DAY_MS < toMs; day++) days.push(dayOf(day * DAY_MS))
  return days
}

/** Stores telemetry of a time before the feed began, as the feed would have left it behind. */
export const writeHistory = (database: Database, history: History): Promise<void> =>
  history.fromMs >= history.samplesFromMs ? asSamples(database, history) : asTiers(database, history)

const asSamples = async (database: Database, { feed, terminals, fromMs, toMs }: History) => {
  await ensurePartitions(database, daysOf(fromMs, toMs))
  await database.transaction(feed, async (db, client) => {
    // In the order in which a batch locks the same rows, which may be applied meanwhile.
    await noteCoverage(db, feed, [{ fromMs, toMs }])
    const areNew = await writeSamples(db, client, feed.tenantId, terminals)
    await noteSamples(db, feed, { terminals, areNew, own: new Set(terminals.map(({ terminalId }) => terminalId)) })
  })
}

const asTiers = async (database: Database, { feed, terminals, fromMs, toMs, nowMs }: History) => {
  const isKept = ({ keptDays }: Tier) => fromMs >= nowMs - keptDays * DAY_MS
  const kept = tiers.filter(isKept)
  for (const { name } of kept) await ensureTierPartitions(database, name, daysOf(fromMs, toMs))
  await database.transaction(feed, async (db, client) => {
    // First, as a batch does: whoever waited for it while holding a tier's buckets could wait for a roll-up in turn.
    await noteCoverage(db, feed, [{ fromMs, toMs }])
    await stageSamples(client, terminals)
    await client.query('create index on staged_samples (terminal_id, at)')
    await client.query('analyze staged_samples')
    const terminalIds = terminals.map(({ terminalId }) => terminalId)
    for (const tier of kept)
      await rollUpFrom(db, feed.tenantId, { tier, terminalIds, fromMs, toMs }, sql.table('staged_samples'), 'samples')
  })
}
