import { sql } from 'kysely'
import type { Database } from '../db.ts'

const DAY_MS = 86_400_000

/** The UTC day of a moment, as the partitions are named. */
export const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)

/**
 * Creating a partition locks the table for readers too until its transaction ends, so it is never done inside the
 * transaction that writes a batch.
 */
export const ensurePartitions = async (database: Database, days: Iterable<string>): Promise<void> => {
  for (const day of days) await sql`select ensure_sample_partition(${day}::date)`.execute(database.outsideTenants)
}

const RECEIPTS_KEPT_DAYS = 62

/** Makes the partitions of the coming days and lets go of samples and receipts past their time. */
export const keepPartitions = async (database: Database, nowMs: number): Promise<void> => {
  await ensurePartitions(database, [dayOf(nowMs), dayOf(nowMs + DAY_MS)])
  await sql`select drop_sample_partitions(${dayOf(nowMs - 2 * DAY_MS)}::date)`.execute(database.outsideTenants)
  const tenants = await database.outsideTenants.selectFrom('tenants').select('id').execute()
  for (const { id: tenantId } of tenants) {
    await database.transaction({ tenantId }, (db) =>
      db
        .deleteFrom('telemetry_batches')
        .where('tenant_id', '=', tenantId)
        .where('received_at', '<', new Date(nowMs - RECEIPTS_KEPT_DAYS * DAY_MS))
        .where('applied_at', 'is not', null)
        .execute(),
    )
  }
}
