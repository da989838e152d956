import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

export const WAKE_CHANNEL = 'tenant_work'

/** Tells those who work behind, when this transaction commits, that the tenant has something for them. */
export const wakeWorkers = async (db: Db, tenantId: string): Promise<void> => {
  await sql`select pg_notify(${WAKE_CHANNEL}, ${tenantId})`.execute(db)
}
