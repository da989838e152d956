import { sql } from 'kysely'
import type { PING, WebhookEventType } from '#contract/webhook-event-types.ts'
import { appendEvents } from './append-events.ts'
import type { Db } from './database/database.ts'
import { enqueue } from './worker/enqueue.ts'

type Condition = 'online' | 'offline' | 'no data' | 'disabled'

interface UserFacts {
  userId: number
  email: string | null
  name: string | null
  role: string | null
  group: string | null
}

interface AlertSubject {
  terminalId: number
  alert: string
}
interface IncidentSubject {
  incidentId: string
}
interface PoolSubject {
  poolId: number
}

/**
 * The subject of each event. The rest of a webhook's payload is read when it is first sent, limited to what its endpoint
 * may see.
 */
export interface EventSubjects extends Record<WebhookEventType | typeof PING, object> {
  'terminal.status_changed': { terminalId: number; status: Condition; previousStatus: Condition }
  'terminal.alert_raised': AlertSubject
  'terminal.alert_cleared': AlertSubject
  'incident.opened': IncidentSubject
  'incident.changed': IncidentSubject
  'incident.resolved': IncidentSubject
  'usage.threshold_reached': { lineId: number | null; poolId: number | null } & Record<
    'percent' | 'usedGb' | 'limitGb',
    number
  >
  'pool.created': PoolSubject
  'pool.changed': PoolSubject
  'pool.limit_reached': PoolSubject
  'command.finished': { lineId: number; commandId: number }
  'user.created': UserFacts
  'user.changed': UserFacts
  'user.deleted': UserFacts
  ping: object
}

export type PublishedEvent = {
  [Type in WebhookEventType]: { type: Type; at: Date; subject: EventSubjects[Type] }
}[WebhookEventType]

/** Delivery attempts end this long after the event. */
export const DELIVER_WITHIN_MS = 3 * 86_400_000
/** Events that become known later than this, such as imported history, are not published. */
const NEWS_MS = 2 * 86_400_000

const listNews = (events: readonly PublishedEvent[], nowMs: number) =>
  events.filter(({ at }) => nowMs - at.getTime() < NEWS_MS)

/**
 * Lists events on pages, and writes a delivery for each webhook subscribed to one, in the transaction that causes the
 * event: it is sent if and only if that transaction commits. Takes no lock that another transaction could wait for.
 */
export const publishEvents = async (
  db: Db,
  tenantId: string,
  events: readonly PublishedEvent[],
  now = new Date(),
): Promise<void> => {
  const news = listNews(events, now.getTime())
  if (news.length === 0) return
  await appendEvents(db, tenantId, news)
  const { rows } = await sql<{ endpoint_id: string }>`
    with event as (
      select event.type, event.at, event.subject, event.type like 'user.%' as is_of_user,
        (event.subject ->> 'terminalId')::bigint as terminal_id, (event.subject ->> 'lineId')::bigint as line_id
      from jsonb_to_recordset(${JSON.stringify(news)}::jsonb) as event (type text, at timestamptz, subject jsonb)),
    queued as (
      insert into webhook_deliveries (tenant_id, endpoint_id, type, occurred_at, subject, account, created_at, due_at, give_up_at)
      select ${tenantId}, endpoint.id, event.type, event.at, event.subject,
        case when event.is_of_user then event.subject ->> 'email' end,
        ${now}, ${now}, ${new Date(now.getTime() + DELIVER_WITHIN_MS)}
      from event
      join webhook_endpoints as endpoint on endpoint.tenant_id = ${tenantId} and event.type = any(endpoint.event_types)
      left join terminals as terminal on terminal.tenant_id = ${tenantId} and terminal.id = event.terminal_id
      left join service_lines as line
        on line.tenant_id = ${tenantId} and line.id = coalesce(event.line_id, terminal.service_line_id)
      where endpoint.group_name is null and endpoint.line_ids = '{}'
        or not event.is_of_user and (
          -- The terminals of an incident or a pool are decided when the body is written.
          coalesce(event.terminal_id, event.line_id) is null
          or line.group_name = endpoint.group_name or line.id = any(endpoint.line_ids))
      returning endpoint_id)
    select distinct endpoint_id from queued`.execute(db)
  for (const { endpoint_id } of rows) await enqueue(db, 'webhooks', tenantId, { subject: endpoint_id })
}

interface UserForm {
  email: string
  customerName: string
  role: string
  username: string
}

export const publishUserEvent = (
  db: Db,
  tenantId: string,
  type: 'user.created' | 'user.changed' | 'user.deleted',
  userId: number,
  { email, customerName, role, username }: UserForm,
  now = new Date(),
) =>
  publishEvents(
    db,
    tenantId,
    [{ type, at: now, subject: { userId, email, name: customerName, role, group: username } }],
    now,
  )
