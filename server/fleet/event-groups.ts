import { sql } from 'kysely'
import { eventKinds } from '#contract/events.ts'
import type { Db } from '../platform/database/database.ts'

/** Notified by the database when events are committed: `tenant:milliseconds`. */
export const EVENT_CHANNEL = 'events'

export const readEventNotification = (payload: string) => {
  const split = payload.lastIndexOf(':')
  return { tenantId: payload.slice(0, split), notedAtMs: Number(payload.slice(split + 1)) }
}

/** Whose events were noted since a time. Null stands for those that only administrators see. */
export const listEventGroups = async (db: Db, tenantId: string, since: Date): Promise<(string | null)[]> => {
  const { rows } = await sql<{ group_name: string | null }>`
    with noted as materialized (
      select service_line_id, pool_id, incident_id from events
      where tenant_id = ${tenantId} and kind = any(${eventKinds}) and noted_at >= ${since})
    select line.group_name from noted
    join service_lines as line on line.tenant_id = ${tenantId} and line.id = noted.service_line_id
    union
    select pool.group_name from noted join pools as pool on pool.tenant_id = ${tenantId} and pool.id = noted.pool_id
    union
    select line.group_name from noted
    join incidents as incident on incident.tenant_id = ${tenantId} and incident.id = noted.incident_id
    left join terminal_losses as loss on loss.tenant_id = ${tenantId} and loss.incident_id = incident.id
    left join terminals as terminal on terminal.tenant_id = ${tenantId}
      and terminal.id = coalesce(loss.terminal_id, incident.terminal_id)
    left join service_lines as line on line.tenant_id = ${tenantId} and line.id = terminal.service_line_id`.execute(db)
  return rows.map(({ group_name }) => group_name)
}
