import { sql } from 'kysely'
import type { EventKind } from '#contract/events.ts'
import type { Db } from './database/database.ts'

/** The events that pages list, with their kind. All other events are for webhooks only. */
const listedKinds: Record<string, EventKind> = {
  'terminal.status_changed': 'status',
  'terminal.alert_raised': 'alert',
  'terminal.alert_cleared': 'alert',
  'incident.opened': 'incident',
  'incident.resolved': 'incident',
  'incident.reopened': 'incident',
  'incident.renamed': 'incident',
  'incident.acknowledged': 'incident',
  'incident.snoozed': 'incident',
  'incident.unsnoozed': 'incident',
  'incident.merged': 'incident',
  'incident.split': 'incident',
  'command.requested': 'command',
  'command.finished': 'command',
  'usage.threshold_reached': 'pool',
  'pool.created': 'pool',
  'pool.changed': 'pool',
  'pool.limit_reached': 'pool',
}

interface AppendedEvent {
  type: string
  at: Date
  /** Has a terminalId, lineId, poolId or incidentId. */
  subject: object
}

/** Appends to the event list. The rows are dated when the transaction commits. */
export const appendEvents = async (db: Db, tenantId: string, events: readonly AppendedEvent[]): Promise<void> => {
  const listed = events.flatMap((event) => {
    const kind = listedKinds[event.type]
    return kind ? [{ ...event, kind }] : []
  })
  if (listed.length === 0) return
  await sql`
    insert into events (tenant_id, kind, type, at, service_line_id, pool_id, incident_id, details)
    select ${tenantId}, event.kind, event.type, event.at, about.line_id, event.pool_id, event.incident_id, event.subject
    from (
      select kind, type, at, subject, ordinality, (subject ->> 'terminalId')::bigint as terminal_id,
        (subject ->> 'lineId')::bigint as line_id, (subject ->> 'poolId')::bigint as pool_id,
        (subject ->> 'incidentId')::uuid as incident_id
      from rows from (jsonb_to_recordset(${JSON.stringify(listed)}::jsonb)
        as (kind text, type text, at timestamptz, subject jsonb)) with ordinality as given (kind, type, at, subject, ordinality)
    ) as event
    left join terminals as terminal on terminal.tenant_id = ${tenantId} and terminal.id = event.terminal_id
    cross join lateral (select coalesce(event.line_id, terminal.service_line_id) as line_id) as about
    where num_nonnulls(about.line_id, event.pool_id, event.incident_id) = 1
    order by event.ordinality`.execute(db)
}
