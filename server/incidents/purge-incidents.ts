import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** As long as the coarsest tier of telemetry. */
const RETENTION = '400 days'

/** Deletes incidents that ended long ago, with their losses. */
export const purgeIncidents = async (db: Db, tenantId: string, now: Date): Promise<void> => {
  const isOld = sql`ended_at < ${now}::timestamptz - interval '${sql.raw(RETENTION)}'`
  await sql`
    delete from terminal_losses using incidents
    where terminal_losses.tenant_id = ${tenantId} and incidents.tenant_id = ${tenantId}
      and incidents.id = terminal_losses.incident_id and ${isOld}`.execute(db)
  await sql`
    delete from incidents where tenant_id = ${tenantId} and ${isOld} and not exists (
      select from incidents as part where part.tenant_id = ${tenantId} and part.merged_into = incidents.id)`.execute(db)
}
