import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { PAST_DAYS } from '../platform/past.ts'

/** Deletes crossings that ended long ago, with their orders, unless one is still being carried out. Purchases remain. */
export const purgeCrossings = async (db: Db, tenantId: string, now: Date) => {
  const limit = new Date(now.getTime() - PAST_DAYS * 86_400_000)
  const isOld = sql`
    crossing.tenant_id = ${tenantId} and crossing.ended_at < ${limit} and not exists (
      select from pool_orders as placed
      where placed.tenant_id = crossing.tenant_id and placed.crossing_id = crossing.id
        and placed.state in ('asked', 'sending', 'accepted'))`
  await sql`
    update pool_top_ups as bought set crossing_id = null from pool_crossings as crossing
    where bought.tenant_id = ${tenantId} and bought.crossing_id = crossing.id and ${isOld}`.execute(db)
  await sql`delete from pool_crossings as crossing where ${isOld}`.execute(db)
}
