import type { Db } from '../platform/database/database.ts'

/** As long as pages list events. Incidents, availability and the editing log are retained longer. */
const RETENTION_DAYS = 90

export const purgeEvents = (db: Db, tenantId: string, now: Date) =>
  db
    .deleteFrom('events')
    .where('tenant_id', '=', tenantId)
    .where('noted_at', '<', new Date(now.getTime() - RETENTION_DAYS * 86_400_000))
    .execute()
