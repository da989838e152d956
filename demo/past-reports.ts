import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { enqueue } from '#server/platform/worker/enqueue.ts'

/** Replaces reports that were created before the history of their weeks was written. */
export const remakeReports = (database: Database, tenantId: string) =>
  database.transaction({ tenantId }, async (db) => {
    await sql`
      with early as (delete from reports where tenant_id = ${tenantId} returning schedule_id, first_day)
      update report_schedules as schedule set next_day = early.first_day, next_at = now()
      from (select schedule_id, min(first_day) as first_day from early group by schedule_id) as early
      where schedule.tenant_id = ${tenantId} and schedule.id = early.schedule_id`.execute(db)
    await enqueue(db, 'reports', tenantId)
  })
