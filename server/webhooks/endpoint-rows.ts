import { type Selectable, sql } from 'kysely'
import { invalid, notFound } from '#contract/errors.ts'
import type { Webhook, WebhookFormat, WebhookTarget } from '#contract/webhooks.ts'
import type { Db } from '../platform/database/database.ts'
import type { DB } from '../platform/database/schema.ts'

export type EndpointRow = Selectable<DB['webhook_endpoints']>

export const findEndpoint = (db: Db, tenantId: string, id: string): Promise<EndpointRow | undefined> =>
  db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The endpoint, locked until the transaction ends. Deliveries can still be added. */
export const lockEndpoint = async (db: Db, tenantId: string, id: string): Promise<EndpointRow> => {
  const endpoint = await db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!endpoint) throw notFound('There is no such webhook.')
  return endpoint
}

interface NamedLine {
  position: number
  id: number | null
}

/** The columns for the scope of a webhook. */
export const resolveTarget = async (db: Db, tenantId: string, target: WebhookTarget) => {
  if (target.kind === 'all') return { group_name: null, line_ids: [] }
  if (target.kind === 'group') return { group_name: target.group, line_ids: [] }
  const { rows } = await sql<NamedLine>`
    select given.position::integer, (
      select line.id from service_lines as line
      left join terminals as terminal on terminal.tenant_id = line.tenant_id and terminal.service_line_id = line.id
      where line.tenant_id = ${tenantId} and line.removed_at is null
        and given.name in (line.nickname, line.service_line_number, terminal.kit_serial)
      order by line.id limit 1) as id
    from unnest(${target.terminals}::text[]) with ordinality as given (name, position)`.execute(db)
  const unknown = rows.find(({ id }) => id === null)
  if (unknown) throw invalid(`Terminal ${unknown.position} of the list is not known.`)
  return { group_name: null, line_ids: [...new Set(rows.map(({ id }) => id as number))] }
}

interface ListedRow extends EndpointRow {
  waiting: number
  last_delivered_at: Date | null
  terminals: string[]
}

const toTarget = ({ group_name, line_ids, terminals }: ListedRow): WebhookTarget => {
  if (group_name !== null) return { kind: 'group', group: group_name }
  return line_ids.length > 0 ? { kind: 'terminals', terminals } : { kind: 'all' }
}

/** The tenant's webhooks, or the one with this id. */
export const listEndpoints = async (db: Db, tenantId: string, now: Date, id?: string): Promise<Webhook[]> => {
  const { rows } = await sql<ListedRow>`
    select endpoint.*, waiting.count as waiting, delivered.at as last_delivered_at,
      array(select coalesce(line.nickname, line.service_line_number) from service_lines as line
        where line.tenant_id = endpoint.tenant_id and line.id = any(endpoint.line_ids)
        order by natural_key(line.nickname), line.id) as terminals
    from webhook_endpoints as endpoint
    cross join lateral (
      select count(*)::integer from webhook_deliveries as delivery
      where delivery.tenant_id = endpoint.tenant_id and delivery.endpoint_id = endpoint.id
        and delivery.state = 'queued') as waiting
    left join lateral (
      select delivery.finished_at as at from webhook_deliveries as delivery
      where delivery.tenant_id = endpoint.tenant_id and delivery.endpoint_id = endpoint.id
        and delivery.state = 'delivered'
      order by delivery.created_at desc limit 1) as delivered on true
    where endpoint.tenant_id = ${tenantId} and ${id === undefined ? sql`true` : sql`endpoint.id = ${id}`}
    order by natural_key(endpoint.name), endpoint.id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: row.url,
    format: row.format as WebhookFormat,
    eventTypes: row.event_types,
    target: toTarget(row),
    createdAt: row.created_at,
    previousSecretUntil:
      row.previous_secret_until && row.previous_secret_until > now ? row.previous_secret_until : null,
    failingSince: row.failing_since,
    pausedAt: row.paused_at,
    pauseReason: row.pause_reason,
    waiting: row.waiting,
    lastDeliveredAt: row.last_delivered_at,
  }))
}

export const getEndpoint = async (db: Db, tenantId: string, now: Date, id: string): Promise<Webhook> => {
  const [webhook] = await listEndpoints(db, tenantId, now, id)
  if (!webhook) throw notFound('There is no such webhook.')
  return webhook
}
