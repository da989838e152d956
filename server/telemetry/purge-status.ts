import type { Db } from '../platform/database/database.ts'
import { PAST_DAYS } from '../platform/past.ts'

/**
 * Deletes statuses that ended before the time that pages go back to: availability, incidents and the past. The current status
 * of each terminal is retained, and the one at the limit.
 */
export const purgeStatuses = async (db: Db, tenantId: string, now: Date) => {
  const limit = new Date(now.getTime() - PAST_DAYS * 86_400_000)
  await db
    .deleteFrom('status_intervals')
    .where('tenant_id', '=', tenantId)
    // Indexed, and a status is noted after it began.
    .where('noted_at', '<', limit)
    .where('ended_at', '<', limit)
    .execute()
}
