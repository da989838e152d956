import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Advances the tenant's event clock and returns its new time, which no earlier call returned. A writer dates its events
 * by it; a reader advances it too and then reads everything up to the returned time.
 *
 * The row stays locked until the transaction ends, so times are assigned in commit order: an event that is still
 * invisible to the reader gets a later time. Call it as late in the transaction as possible. Milliseconds, because a
 * JavaScript Date has no finer resolution.
 */
export const advanceEventClock = async (db: Db, tenantId: string): Promise<Date> => {
  const { rows } = await sql<{ at: Date }>`
    insert into event_clocks as clock (tenant_id, at)
    values (${tenantId}, date_trunc('milliseconds', clock_timestamp()))
    on conflict (tenant_id) do update
      set at = greatest(date_trunc('milliseconds', clock_timestamp()), clock.at + interval '1 millisecond')
    returning at`.execute(db)
  return (rows[0] as { at: Date }).at
}
