import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** Less is waited for. Each call advances the event clock by a millisecond at least, so it may be a little ahead. */
const MAX_AHEAD = '2 hours'

/** The columns that are dated by the event clock. */
const DATED = [
  ['status_intervals', 'noted_at'],
  ['events', 'noted_at'],
  ['incident_assignments', 'known_at'],
  ['usage_crossings', 'crossed_at'],
  ['incident_progress', 'collected_until'],
] as const

/**
 * Sets a tenant's event clock back that is far ahead, because the clock of the database was: it would otherwise stand still
 * until that time comes, and with it everything that waits for minutes to pass, such as notifications. What it has dated
 * moves along, so that the order stays the same. What users were to be notified about is planned anew from then on. Not while
 * telemetry shows that the clock of the database is behind: what was dated before would get between older events.
 */
export const rewindEventClock = async (db: Db, tenantId: string) => {
  const { rows } = await sql<{ offset: string; present: Date }>`
    update event_clocks as clock set at = now.at
    from (
      select tenant_id, at from event_clocks
      where tenant_id = ${tenantId} and at > clock_timestamp() + interval '${sql.raw(MAX_AHEAD)}' and not exists (
        select from vendor_feeds
        where tenant_id = ${tenantId} and newest_sample_at > clock_timestamp() + interval '${sql.raw(MAX_AHEAD)}')
      for update
    ) as ahead, (select date_trunc('milliseconds', clock_timestamp()) as at) as now
    where clock.tenant_id = ahead.tenant_id
    returning (ahead.at - now.at)::text as offset, now.at as present`.execute(db)
  const [rewound] = rows
  if (!rewound) return
  const { offset, present } = rewound
  for (const [table, column] of DATED)
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} - ${offset}::interval
      where tenant_id = ${tenantId} and ${sql.ref(column)} > ${present}`.execute(db)
  await sql`delete from notification_states where tenant_id = ${tenantId} and planned_until > ${present}`.execute(db)
}
