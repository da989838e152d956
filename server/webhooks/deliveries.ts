import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { notFound } from '#contract/errors.ts'
import { PING } from '#contract/webhook-event-types.ts'
import type { WebhookAttempt, WebhookDelivery } from '#contract/webhooks.ts'
import { recordAudit } from '../audit/record.ts'
import { consume, perMinutes } from '../identity/rate-limits.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { DELIVER_WITHIN_MS } from '../platform/publish-events.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { getEndpoint, lockEndpoint } from './endpoint-rows.ts'

const PAGE = 50
const MAX_ATTEMPTS = 50

const columns = [
  ...(['id', 'type', 'state', 'occurred_at', 'created_at', 'due_at', 'attempted_at'] as const),
  ...(['finished_at', 'response_status', 'problem'] as const),
] as const

const selectDeliveries = (db: Db, tenantId: string, endpointId: string) =>
  db
    .selectFrom('webhook_deliveries')
    .select(columns)
    .select(
      sql<number>`(select count(*)::integer from webhook_attempts as made
        where made.tenant_id = webhook_deliveries.tenant_id and made.delivery_id = webhook_deliveries.id)`.as('made'),
    )
    .where('tenant_id', '=', tenantId)
    .where('endpoint_id', '=', endpointId)

type Row = Awaited<ReturnType<ReturnType<typeof selectDeliveries>['execute']>>[number]

const toDelivery = (row: Row): WebhookDelivery => ({
  id: row.id,
  type: row.type,
  state: row.state as WebhookDelivery['state'],
  attempts: row.made,
  occurredAt: row.occurred_at,
  createdAt: row.created_at,
  attemptedAt: row.attempted_at,
  finishedAt: row.finished_at,
  nextAttemptAt: row.state === 'queued' ? row.due_at : null,
  responseStatus: row.response_status,
  problem: row.problem,
})

interface Filter {
  id: string
  state?: WebhookDelivery['state'] | undefined
  before?: string | undefined
}

export const listDeliveries = (ctx: Context, { id, state, before }: Filter) =>
  ctx.transaction(async (db) => {
    await getEndpoint(db, ctx.tenantId, ctx.services.now(), id)
    const rows = await selectDeliveries(db, ctx.tenantId, id)
      .$if(state !== undefined, (query) => query.where('state', '=', state as string))
      .$if(before !== undefined, (query) =>
        query.where(
          sql<boolean>`(created_at, id) < (
            select last.created_at, last.id from webhook_deliveries as last
            where last.tenant_id = ${ctx.tenantId} and last.id = ${before})`,
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(PAGE + 1)
      .execute()
    return { deliveries: rows.slice(0, PAGE).map(toDelivery), isMore: rows.length > PAGE }
  })

interface Named {
  id: string
  deliveryId: string
}

/** A requested attempt does not wait for the backoff, so their number is limited. */
const requestAttempt = async (db: Db, tenantId: string, id: string, now: Date) => {
  await consume(db, tenantId, [perMinutes(`webhook attempts ${id}`, 60, 60)], now)
  await db
    .updateTable('webhook_endpoints')
    .set({ retry_at: null })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  await enqueue(db, 'webhooks', tenantId, { subject: id })
}

const noSuchDelivery = () => notFound('There is no such delivery.')

const listAttempts = async (db: Db, tenantId: string, deliveryId: string): Promise<WebhookAttempt[]> => {
  const rows = await db
    .selectFrom('webhook_attempts')
    .select(['started_at', 'duration_ms', 'response_status', 'response_body', 'problem'])
    .where('tenant_id', '=', tenantId)
    .where('delivery_id', '=', deliveryId)
    .orderBy('attempt', 'desc')
    .limit(MAX_ATTEMPTS)
    .execute()
  return rows.map((row) => ({
    startedAt: row.started_at,
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    responseBody: row.response_body,
    problem: row.problem,
  }))
}

export const getDelivery = (ctx: Context, { id, deliveryId }: Named) =>
  ctx.transaction(async (db) => {
    const row = await selectDeliveries(db, ctx.tenantId, id)
      .select('body')
      .where('id', '=', deliveryId)
      .executeTakeFirst()
    if (!row) throw noSuchDelivery()
    const attemptLog = await listAttempts(db, ctx.tenantId, deliveryId)
    return { delivery: { ...toDelivery(row), body: row.body, attemptLog } }
  })

export const resendDelivery = (ctx: Context, { id, deliveryId }: Named) =>
  ctx.transaction(async (db) => {
    const { tenantId, services, user } = ctx
    const now = services.now()
    const { name } = await lockEndpoint(db, tenantId, id)
    const queued = await db
      .updateTable('webhook_deliveries')
      .set({
        state: 'queued',
        due_at: now,
        give_up_at: new Date(now.getTime() + DELIVER_WITHIN_MS),
        finished_at: null,
        // Acts as a fencing token: an attempt in flight cannot overwrite this.
        attempts: sql`attempts + 1`,
      })
      .where('tenant_id', '=', tenantId)
      .where('endpoint_id', '=', id)
      .where('id', '=', deliveryId)
      .returning('type')
      .executeTakeFirst()
    if (!queued) throw noSuchDelivery()
    await requestAttempt(db, tenantId, id, now)
    await recordAudit(db, tenantId, now, {
      performer: user.email,
      action: 'webhook.resend',
      performee: name,
      details: { delivery: deliveryId, event: queued.type },
    })
    return { message: 'The event is being sent again.' }
  })

export const sendTest = (ctx: Context, { id }: { id: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, services, user } = ctx
    const now = services.now()
    const { name } = await lockEndpoint(db, tenantId, id)
    const deliveryId = randomUUID()
    await db
      .insertInto('webhook_deliveries')
      .values({
        tenant_id: tenantId,
        id: deliveryId,
        endpoint_id: id,
        type: PING,
        subject: '{}',
        occurred_at: now,
        created_at: now,
        due_at: now,
        give_up_at: new Date(now.getTime() + DELIVER_WITHIN_MS),
      })
      .execute()
    await requestAttempt(db, tenantId, id, now)
    await recordAudit(db, tenantId, now, { performer: user.email, action: 'webhook.test', performee: name })
    return { deliveryId }
  })
