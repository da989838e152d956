import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { Queue } from '../platform/worker/queues.ts'
import { formatUtcDay } from './partitions.ts'
import { tiers } from './tiers.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Samples are retained for two days. Buckets of earlier days cannot be computed again. */
export const CHANGES_FOR_DAYS = 3

/** Compacts the oldest partition of each tier that no longer changes. Returns the names of those that it compacted. */
export const compactPartitions = async (database: Database, nowMs: number): Promise<string[]> => {
  const before = formatUtcDay(nowMs - CHANGES_FOR_DAYS * DAY_MS)
  // The rows are those of all tenants, but only a tenant's transaction has the time limit of background work.
  const tenant = await database.outsideTenants.selectFrom('tenants').select('id').limit(1).executeTakeFirst()
  if (!tenant) return []
  const compacted: string[] = []
  for (const { name } of tiers) {
    const { rows } = await database.transaction({ tenantId: tenant.id }, (db) =>
      sql<{ partition: string | null }>`select compact_tier_partition(${name}, ${before}::date) as partition`.execute(
        db,
      ),
    )
    if (rows[0]?.partition) compacted.push(rows[0].partition)
  }
  return compacted
}

// After an upgrade there are dozens of partitions. With a pause, writing them anew does not slow down the rest.
const PAUSE_MS = 10 * MINUTE_MS
const INTERVAL_MS = 6 * HOUR_MS

export const createCompactionQueue = ({ database, now }: { database: Database; now: () => Date }): Queue => ({
  seed: 'installation',
  concurrency: 1,
  retry: { firstMs: 5 * MINUTE_MS, longestMs: HOUR_MS },
  run: async () => {
    const compacted = await compactPartitions(database, now().getTime())
    return new Date(now().getTime() + (compacted.length > 0 ? PAUSE_MS : INTERVAL_MS))
  },
})
