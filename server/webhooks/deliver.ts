import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { PING } from '#contract/webhook-event-types.ts'
import type { SentEventType } from '#contract/webhook-events.ts'
import type { WebhookFormat } from '#contract/webhooks.ts'
import type { Database, Db } from '../platform/database/database.ts'
import type { OutboundClient, OutboundResponse } from '../platform/outbound-request.ts'
import type { EventSubjects } from '../platform/publish-events.ts'
import type { Secrets } from '../platform/secrets.ts'
import { claimItem, isClaimedBy } from '../platform/worker/claim-item.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { findPages } from '../tenants/pages.ts'
import { type EndpointRow, findEndpoint } from './endpoint-rows.ts'
import { findRetryTime, finishAttempt, type Outcome, recordOutcome } from './record-outcome.ts'
import { renderBody } from './render-body.ts'
import { renderEvent } from './render-event.ts'
import { sealedSecret, signWebhook } from './secret.ts'

/** Longer than a receiver may ask us to wait. */
export const LONGEST_WAIT_MS = 48 * 3_600_000
/** Longer than an attempt may last. */
const LEASE_MS = 60_000
/** How long after its deadline a delivery may still be attempted. It is older if its endpoint was paused. */
const GRACE_MS = 3_600_000
const MAX_RESPONSE_CHARACTERS = 1_000

interface Options {
  database: Database
  secrets: Secrets
  client: OutboundClient
  log: Pick<FastifyBaseLogger, 'error'>
  now: () => Date
}

type Claimed = NonNullable<Awaited<ReturnType<typeof claimDelivery>>>['delivery']

const isTooLate = ({ give_up_at }: { give_up_at: Date }, now: Date) => now.getTime() > give_up_at.getTime() + GRACE_MS

/** Reads the endpoint for each event, so that a pause, a new address or a new secret takes effect immediately. */
const claimDelivery = async (db: Db, tenantId: string, endpointId: string, now: Date) => {
  const endpoint = await findEndpoint(db, tenantId, endpointId)
  if (!endpoint) return undefined
  const { paused_at, retry_at } = endpoint
  const waitMs = retry_at === null ? 0 : retry_at.getTime() - now.getTime()
  // A longer pause began while the clock was ahead.
  const isOpen = paused_at === null && (waitMs <= 0 || waitMs > LONGEST_WAIT_MS)
  const delivery = await claimItem(db, 'webhook_deliveries', {
    tenantId,
    now,
    leaseMs: LEASE_MS,
    longestWaitMs: LONGEST_WAIT_MS,
    // An endpoint can be tested before it is resumed.
    where: sql`item.endpoint_id = ${endpointId} and item.state = 'queued' and (${isOpen} or item.type = ${PING})`,
    set: sql`attempted_at = ${now}`,
  })
  if (delivery && !isTooLate(delivery, now))
    await db
      .insertInto('webhook_attempts')
      .values({ tenant_id: tenantId, delivery_id: delivery.id, attempt: delivery.attempts, started_at: now })
      .execute()
  return delivery && { endpoint, delivery }
}

/** PostgreSQL stores no zero bytes. */
const toExcerpt = (text: string) => text.replaceAll('\0', '').slice(0, MAX_RESPONSE_CHARACTERS)

const describeError = (error: unknown) => {
  const { message, code } = error as Error & { code?: string }
  return [message || 'The connection failed.', code].filter(Boolean).join(' ')
}

/** Parses Retry-After, in seconds or as a date. */
const readRetryAfter = ({ headers }: OutboundResponse, now: Date) => {
  const given = headers['retry-after']
  if (given === undefined) return undefined
  const at = new Date(/^\d+$/.test(given) ? now.getTime() + Number(given) * 1000 : given)
  // No date, or one that is too far ahead.
  return Number.isNaN(at.getTime()) ? undefined : at
}

export const createWebhookDelivery = ({ database, secrets, client, log, now }: Options) => {
  const listSecrets = ({
    tenant_id,
    id,
    sealed_secret,
    sealed_previous_secret,
    previous_secret_until,
  }: EndpointRow) => {
    const purpose = sealedSecret.buildPurpose(tenant_id, id)
    const isPreviousValid = previous_secret_until !== null && previous_secret_until > now()
    const sealed = [sealed_secret, ...(isPreviousValid && sealed_previous_secret ? [sealed_previous_secret] : [])]
    return sealed.map((each) => secrets.open(each, purpose))
  }

  /** Writes the body for the first attempt; undefined if the endpoint may see nothing of the event. */
  const writeBody = (endpoint: EndpointRow, delivery: Claimed): Promise<string | undefined> => {
    const tenantId = endpoint.tenant_id
    return database.transaction({ tenantId, group: endpoint.group_name ?? undefined }, async (db) => {
      const { timeZone, units } = await getTenantConfiguration(db, tenantId)
      const type = delivery.type as SentEventType
      const reader = {
        tenantId,
        group: endpoint.group_name,
        timeZone,
        units,
        pages: await findPages(db, tenantId),
        // The driver returns bigint[] as text.
        lineIds: endpoint.line_ids.map(Number),
      }
      const subject = delivery.subject as unknown as EventSubjects[SentEventType]
      const rendered = await renderEvent(db, reader, type, subject as never, delivery.occurred_at)
      if (!rendered) {
        await db.deleteFrom('webhook_deliveries').where(isClaimedBy(tenantId, delivery)).execute()
        return undefined
      }
      const body = renderBody(endpoint.format as WebhookFormat, type, delivery.occurred_at, rendered)
      await db.updateTable('webhook_deliveries').set({ body }).where(isClaimedBy(tenantId, delivery)).execute()
      return body
    })
  }

  const send = async (endpoint: EndpointRow, { id }: Claimed, body: string): Promise<Outcome> => {
    const startedMs = performance.now()
    const headers = {
      ...signWebhook(listSecrets(endpoint), { id, at: now(), body }),
      'content-type': 'application/json',
      'user-agent': 'Dishboard-Webhooks/1',
    }
    const finish = (outcome: Omit<Outcome, 'durationMs'>) => ({
      ...outcome,
      durationMs: Math.round(performance.now() - startedMs),
    })
    try {
      const response = await client.post(endpoint.url, headers, body)
      const { status } = response
      const isAccepted = status >= 200 && status < 300
      const isRedirect = status >= 300 && status < 400
      const problem = isRedirect
        ? `The receiver returned ${status}. Redirects are not followed.`
        : `The receiver returned ${status}.`
      return finish({
        isAccepted,
        status,
        body: toExcerpt(response.body),
        retryAfter: readRetryAfter(response, now()),
        problem: isAccepted ? null : problem,
        isGone: status === 410,
      })
    } catch (error) {
      const problem = toExcerpt(describeError(error))
      return finish({ isAccepted: false, status: null, body: null, problem, retryAfter: undefined, isGone: false })
    }
  }

  const postpone = (endpoint: EndpointRow, delivery: Claimed, error: unknown) =>
    database.transaction({ tenantId: endpoint.tenant_id }, async (db) => {
      const problem = toExcerpt(String(error))
      const durationMs = now().getTime() - (delivery.attempted_at as Date).getTime()
      await finishAttempt(db, endpoint.tenant_id, delivery, { durationMs, status: null, body: null, problem })
      await db
        .updateTable('webhook_deliveries')
        .set({ due_at: findRetryTime(delivery.attempts, now()), problem })
        .where(isClaimedBy(endpoint.tenant_id, delivery))
        .execute()
    })

  const giveUp = (endpoint: EndpointRow, delivery: Claimed) =>
    database.transaction({ tenantId: endpoint.tenant_id }, (db) =>
      db
        .updateTable('webhook_deliveries')
        .set({ state: 'failed', finished_at: now(), problem: 'It waited for more than three days.' })
        .where(isClaimedBy(endpoint.tenant_id, delivery))
        .execute(),
    )

  return {
    /** Delivers the event that has been due longest. Returns whether there was one, and whether the endpoint failed. */
    deliverNext: async (tenantId: string, endpointId: string): Promise<'nothing due' | 'done' | 'failed'> => {
      const claimed = await database.transaction({ tenantId }, (db) => claimDelivery(db, tenantId, endpointId, now()))
      if (!claimed) return 'nothing due'
      const { endpoint, delivery } = claimed
      if (isTooLate(delivery, now())) {
        await giveUp(endpoint, delivery)
        return 'done'
      }
      try {
        const body = delivery.body ?? (await writeBody(endpoint, delivery))
        if (body === undefined) return 'done'
        const outcome = await send(endpoint, delivery, body)
        await recordOutcome(database, endpoint, delivery, outcome, now())
        return outcome.isAccepted || delivery.type === PING ? 'done' : 'failed'
      } catch (error) {
        log.error(
          { err: error, tenantId, deliveryId: delivery.id },
          'A webhook could not be sent; continuing with others.',
        )
        await postpone(endpoint, delivery, error)
        return 'done'
      }
    },
  }
}
