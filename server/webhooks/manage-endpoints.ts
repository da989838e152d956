import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { AuditAction } from '#contract/audit-sentences.ts'
import { conflict, invalid } from '#contract/errors.ts'
import { isUserEvent, PING } from '#contract/webhook-event-types.ts'
import type { WebhookForm } from '#contract/webhooks.ts'
import { recordAudit } from '../audit/record.ts'
import { requireConfirmationOfUser } from '../identity/confirm-password.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import { listAdministratorEmails } from '../messages/administrators.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { findAddressFault } from '../platform/outbound-address.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { recordExport } from '../security-events/record.ts'
import { type EndpointRow, getEndpoint, lockEndpoint, resolveTarget } from './endpoint-rows.ts'
import { createWebhookSecret, sealedSecret } from './secret.ts'

const MAX_ENDPOINTS = 20
const PREVIOUS_SECRET_VALID_MS = 24 * 3_600_000

const refuseForm = ({ services: { config } }: Context, { url, eventTypes, target }: WebhookForm) => {
  const fault = findAddressFault(url, config.outboundNetworks)
  if (fault !== undefined) throw invalid(`url: ${fault}`)
  if (target.kind !== 'all' && eventTypes.some(isUserEvent))
    throw invalid('Events of users are only for webhooks of all terminals.')
}

const toColumns = async (db: Db, tenantId: string, { name, url, format, eventTypes, target }: WebhookForm) => ({
  name,
  url,
  format,
  event_types: [...new Set(eventTypes)],
  ...(await resolveTarget(db, tenantId, target)),
})

/** The path of a URL can be a secret, as with Slack. */
const describe = ({ url, ...form }: WebhookForm) => ({ ...form, host: new URL(url).host })

const record = (db: Db, ctx: Context, action: AuditAction, performee: string, details = {}) =>
  recordAudit(db, ctx.tenantId, ctx.services.now(), { performer: ctx.user.email, action, performee, details })

/** A webhook sends tenant data to a third party, even after its creator has left. */
const mailAdministrators = async (db: Db, ctx: Context, subject: string) =>
  mailSecurityNotice(db, ctx.tenantId, await listAdministratorEmails(db, ctx.tenantId), {
    subject,
    actor: ctx.user.email,
    origin: ctx,
    now: ctx.services.now(),
  })

export const createEndpoint = (ctx: Context, form: WebhookForm) => {
  refuseForm(ctx, form)
  return ctx.transaction(async (db) => {
    const { tenantId, services } = ctx
    await requireConfirmationOfUser(db, ctx)
    const { count } = await db
      .selectFrom('webhook_endpoints')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow()
    if (count >= MAX_ENDPOINTS) throw conflict(`There are ${MAX_ENDPOINTS} webhooks already. Please delete one first.`)
    const id = randomUUID()
    const secret = createWebhookSecret()
    await db
      .insertInto('webhook_endpoints')
      .values({
        tenant_id: tenantId,
        id,
        created_at: services.now(),
        ...(await toColumns(db, tenantId, form)),
        sealed_secret: services.secrets.seal(secret, sealedSecret.buildPurpose(tenantId, id)),
      })
      .execute()
    await record(db, ctx, 'webhook.create', form.name, { after: describe(form) })
    await recordExport(db, ctx, `webhook to ${new URL(form.url).host}`)
    await mailAdministrators(db, ctx, `The webhook “${form.name}” was created`)
    return { webhook: await getEndpoint(db, tenantId, services.now(), id), secret }
  })
}

/** What decides which events are sent, and what they say. */
const describeContent = ({
  format,
  event_types,
  group_name,
  line_ids,
}: Pick<EndpointRow, 'format' | 'event_types' | 'group_name' | 'line_ids'>) => ({
  format,
  group_name,
  eventTypes: [...event_types].sort(),
  // The driver returns bigint[] as text.
  lineIds: line_ids.map(String).sort(),
})

/**
 * Pending events were written for whom the webhook was for before. They are written again when they are sent, as far as the
 * webhook may see them then; those that it no longer subscribes to are deleted.
 */
const rewritePending = async (db: Db, tenantId: string, id: string, { eventTypes }: WebhookForm) => {
  await db
    .deleteFrom('webhook_deliveries')
    .where('tenant_id', '=', tenantId)
    .where('endpoint_id', '=', id)
    .where('state', '=', 'queued')
    .where('type', 'not in', [...eventTypes, PING])
    .execute()
  await db
    .updateTable('webhook_deliveries')
    // The number of the attempt is its fencing token: one that is being written now is not stored.
    .set({ body: null, attempts: sql`attempts + 1` })
    .where('tenant_id', '=', tenantId)
    .where('endpoint_id', '=', id)
    .where('state', '=', 'queued')
    .execute()
}

export const changeEndpoint = (ctx: Context, { id, ...form }: WebhookForm & { id: string }) => {
  refuseForm(ctx, form)
  return ctx.transaction(async (db) => {
    const { tenantId, services } = ctx
    const now = services.now()
    const before = await lockEndpoint(db, tenantId, id)
    const isMoved = before.url !== form.url
    if (isMoved) await requireConfirmationOfUser(db, ctx)
    const { target, eventTypes } = await getEndpoint(db, tenantId, now, id)
    const columns = await toColumns(db, tenantId, form)
    await db
      .updateTable('webhook_endpoints')
      .set({
        ...columns,
        // The failures of the former address say nothing about the new one.
        ...(isMoved && { failures: 0, failing_since: null, retry_at: null }),
      })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
    if (!isDeepStrictEqual(describeContent(before), describeContent(columns)))
      await rewritePending(db, tenantId, id, form)
    const former = { name: before.name, url: before.url, format: before.format, eventTypes, target }
    await record(db, ctx, 'webhook.change', form.name, {
      before: describe(former as WebhookForm),
      after: describe(form),
    })
    if (isMoved) {
      await recordExport(db, ctx, `webhook to ${new URL(form.url).host}`)
      await mailAdministrators(db, ctx, `The webhook “${form.name}” has a new address`)
      await enqueue(db, 'webhooks', tenantId, { subject: id })
    }
    return { webhook: await getEndpoint(db, tenantId, now, id) }
  })
}

export const removeEndpoint = (ctx: Context, { id }: { id: string }) =>
  ctx.transaction(async (db) => {
    const { name } = await lockEndpoint(db, ctx.tenantId, id)
    await db.deleteFrom('webhook_endpoints').where('tenant_id', '=', ctx.tenantId).where('id', '=', id).execute()
    await record(db, ctx, 'webhook.delete', name)
    return { message: `The webhook “${name}” is deleted.` }
  })

export const rotateSecret = (ctx: Context, { id }: { id: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, services } = ctx
    await requireConfirmationOfUser(db, ctx)
    const { name, sealed_secret } = await lockEndpoint(db, tenantId, id)
    const secret = createWebhookSecret()
    await db
      .updateTable('webhook_endpoints')
      .set({
        sealed_secret: services.secrets.seal(secret, sealedSecret.buildPurpose(tenantId, id)),
        sealed_previous_secret: sealed_secret,
        previous_secret_until: new Date(services.now().getTime() + PREVIOUS_SECRET_VALID_MS),
      })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute()
    await record(db, ctx, 'webhook.rotate_secret', name)
    await mailAdministrators(db, ctx, `The webhook “${name}” has a new secret`)
    return { webhook: await getEndpoint(db, tenantId, services.now(), id), secret }
  })

export const setPaused = (ctx: Context, { id, paused }: { id: string; paused: boolean }) =>
  ctx.transaction(async (db) => {
    const { tenantId, services } = ctx
    const now = services.now()
    const { name, paused_at } = await lockEndpoint(db, tenantId, id)
    if ((paused_at !== null) !== paused) {
      await db
        .updateTable('webhook_endpoints')
        .set(
          paused
            ? { paused_at: now, pause_reason: 'Paused by an administrator.' }
            : { paused_at: null, pause_reason: null, failures: 0, failing_since: null, retry_at: null },
        )
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .execute()
      await record(db, ctx, paused ? 'webhook.pause' : 'webhook.resume', name)
      if (!paused) await enqueue(db, 'webhooks', tenantId, { subject: id })
    }
    return { webhook: await getEndpoint(db, tenantId, now, id) }
  })
