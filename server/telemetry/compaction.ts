import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { Queue } from '../platform/worker/queues.ts'
import { ensureTierPartitions, formatUtcDay } from './partitions.ts'
import { PACKED_TIER, tiers } from './tiers.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Samples are retained for two days. Buckets of earlier days cannot be recomputed. */
export const CHANGES_FOR_DAYS = 3

/** The longest chart of the packed tier is one day. One hour more, because the clocks of processes differ. */
export const CHARTED_FOR_MS = 25 * HOUR_MS

const compacted = tiers.filter(({ name }) => name !== PACKED_TIER.name)

/**
 * Compacts the oldest partition of each tier that no longer changes, and packs the oldest one of the packed tier that no
 * chart reads. Returns their names.
 */
export const compactPartitions = async (database: Database, nowMs: number): Promise<string[]> => {
  const [unchanged, uncharted] = [CHANGES_FOR_DAYS * DAY_MS, CHARTED_FOR_MS].map((ms) => formatUtcDay(nowMs - ms))
  // The rows belong to all tenants, but only a tenant's transaction has the time limit of background work.
  const tenant = await database.outsideTenants.selectFrom('tenants').select('id').limit(1).executeTakeFirst()
  if (!tenant) return []
  await ensurePackedPartitions(database, uncharted as string)
  const names: (string | null | undefined)[] = []
  const rewritePartition = async (statement: RawBuilder<{ partition: string | null }>) => {
    const { rows } = await database.transaction({ tenantId: tenant.id }, (db) => statement.execute(db))
    names.push(rows[0]?.partition)
  }
  await rewritePartition(sql`select pack_tier_partition(${uncharted}::date) as partition`)
  for (const { name } of compacted)
    await rewritePartition(sql`select compact_tier_partition(${name}, ${unchanged}::date) as partition`)
  return names.filter((name) => name != null)
}

/** Creates the partitions in advance, because that locks the table until the transaction ends. */
const ensurePackedPartitions = async (database: Database, before: string) => {
  const { rows } = await sql<{ day: string }>`
    select to_char(to_date(right(relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${PACKED_TIER.name}::regclass and to_date(right(relname, 8), 'YYYYMMDD') < ${before}::date
    order by 1`.execute(database.outsideTenants)
  await ensureTierPartitions(
    database,
    PACKED_TIER.packedName,
    rows.map(({ day }) => day),
  )
}

// After an upgrade there are dozens of partitions. The pause keeps rewriting them from slowing down everything else.
const PAUSE_MS = 10 * MINUTE_MS
const INTERVAL_MS = 6 * HOUR_MS

export const createCompactionQueue = ({ database, now }: { database: Database; now: () => Date }): Queue => ({
  seed: 'installation',
  concurrency: 1,
  retry: { firstMs: 5 * MINUTE_MS, longestMs: HOUR_MS },
  run: async () => {
    const names = await compactPartitions(database, now().getTime())
    return new Date(now().getTime() + (names.length > 0 ? PAUSE_MS : INTERVAL_MS))
  },
})
