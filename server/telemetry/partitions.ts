import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { PACKED_TIER, type TierName, tiers } from './tiers.ts'

const DAY_MS = 86_400_000

/** Formats the UTC day of a time as in the partitions' names. */
export const formatUtcDay = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)

/**
 * Creating a partition locks the table, even for readers, until its transaction ends. So it is never done inside the
 * transaction that writes a batch.
 */
export const ensurePartitions = async (database: Database, days: Iterable<string>): Promise<void> => {
  for (const day of days) await sql`select ensure_sample_partition(${day}::date)`.execute(database.outsideTenants)
}

export const ensureTierPartitions = async (
  database: Database,
  tier: TierName | typeof PACKED_TIER.packedName,
  days: Iterable<string>,
): Promise<void> => {
  for (const day of days)
    await sql`select ensure_tier_partition(${tier}, ${day}::date)`.execute(database.outsideTenants)
}

export const SAMPLE_RETENTION_DAYS = 2
const RECEIPT_RETENTION_DAYS = 62
/** As long as the coarsest tier, so that availability goes back as far. */
const COVERAGE_RETENTION_DAYS = 400

/** Creates the partitions of the coming days and purges samples, buckets and receipts past their retention. */
export const maintainPartitions = async (database: Database, nowMs: number): Promise<void> => {
  const soon = [formatUtcDay(nowMs), formatUtcDay(nowMs + DAY_MS)]
  const getCutoffDay = (days: number) => formatUtcDay(nowMs - days * DAY_MS)
  const { outsideTenants } = database
  await ensurePartitions(database, soon)
  await sql`select drop_sample_partitions(${getCutoffDay(SAMPLE_RETENTION_DAYS)}::date)`.execute(outsideTenants)
  for (const { name, retentionDays } of tiers) {
    await ensureTierPartitions(database, name, soon)
    const tables = name === PACKED_TIER.name ? [name, PACKED_TIER.packedName] : [name]
    for (const table of tables)
      await sql`select drop_tier_partitions(${table}, ${getCutoffDay(retentionDays)}::date)`.execute(outsideTenants)
  }
  const tenants = await outsideTenants.selectFrom('tenants').select('id').execute()
  for (const { id: tenantId } of tenants) {
    await database.transaction({ tenantId }, async (db) => {
      await db
        .deleteFrom('telemetry_batches')
        .where('tenant_id', '=', tenantId)
        .where('received_at', '<', new Date(nowMs - RECEIPT_RETENTION_DAYS * DAY_MS))
        .where('applied_at', 'is not', null)
        .execute()
      await sql`
        delete from feed_coverage
        where tenant_id = ${tenantId} and day < ${getCutoffDay(COVERAGE_RETENTION_DAYS)}::date`.execute(db)
    })
  }
}
