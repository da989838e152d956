import { sql } from 'kysely'
import { eventKinds } from '#contract/events.ts'
import type { Db } from '../platform/database/database.ts'

/** Notified by the database when events are committed: `tenant:milliseconds`. */
export const EVENT_CHANNEL = 'events'

export const readEventNotification = (payload: string) => {
  const split = payload.lastIndexOf(':')
  return { tenantId: payload.slice(0, split), notedAtMs: Number(payload.slice(split + 1)) }
}

/** The groups with events since a time. Null stands for events that only administrators see. */
export const listEventGroups = async (db: Db, tenantId: string, since: Date): Promise<(string | null)[]> => {
  const { rows } = await sql<{ group_name: string | null }>`
    select group_name from events
    where tenant_id = ${tenantId} and kind = any(${eventKinds}) and noted_at >= ${since}
      and (incident_id is null or group_name is null)
    union
    select group_name from events
    where tenant_id = ${tenantId} and noted_at >= ${since} and incident_id is not null and group_name is not null`.execute(
    db,
  )
  return rows.map(({ group_name }) => group_name)
}
