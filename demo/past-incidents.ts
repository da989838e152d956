import { setTimeout as pause } from 'node:timers/promises'
import { lockIncidents } from '#server/incidents/judge-losses.ts'
import type { Database } from '#server/platform/database/database.ts'
import { enqueue } from '#server/platform/worker/enqueue.ts'

const POLL_INTERVAL_MS = 500

/** Finds the incidents of the past 30 days in the status history, and waits until they are found. */
export const findPastIncidents = async (database: Database, tenantId: string, signal: AbortSignal) => {
  const upTo = new Date()
  await database.transaction({ tenantId }, async (db) => {
    // An evaluation in progress would record that it is done, without the history.
    await lockIncidents(db, tenantId)
    await db.deleteFrom('incident_progress').where('tenant_id', '=', tenantId).execute()
    await enqueue(db, 'incidents', tenantId)
  })
  const isDone = () =>
    database.transaction({ tenantId }, (db) =>
      db
        .selectFrom('incident_progress')
        .select('tenant_id')
        .where('tenant_id', '=', tenantId)
        .where('collected_until', '>=', upTo)
        .executeTakeFirst(),
    )
  while (!(await isDone())) await pause(POLL_INTERVAL_MS, undefined, { signal })
}
