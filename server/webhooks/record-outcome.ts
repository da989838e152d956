import { formatMoment } from '#contract/format/times.ts'
import { PING } from '#contract/webhook-event-types.ts'
import { recordAudit } from '../audit/record.ts'
import { listAdministratorEmails } from '../messages/administrators.ts'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { DELIVER_WITHIN_MS } from '../platform/publish-events.ts'
import { isClaimedBy } from '../platform/worker/claim-item.ts'
import { backoffMs, withJitter } from '../platform/worker/pause.ts'
import { findPages } from '../tenants/pages.ts'
import type { EndpointRow } from './endpoint-rows.ts'

const WEBHOOK_WORKER = 'webhook worker'

const FIRST_RETRY_MS = 5_000
const LONGEST_RETRY_MS = 4 * 3_600_000
/** The longest backoff of a failing endpoint. */
const LONGEST_ENDPOINT_PAUSE_MS = 3_600_000
const LONGEST_RETRY_AFTER_MS = 24 * 3_600_000

export interface Outcome {
  isAccepted: boolean
  status: number | null
  /** The first characters of the response. */
  body: string | null
  problem: string | null
  retryAfter: Date | undefined
  /** The receiver has unsubscribed (410). */
  isGone: boolean
  durationMs: number
}

interface Attempt {
  id: string
  type: string
  attempts: number
  give_up_at: Date
}

interface Limits {
  longestMs?: number
  /** Requested by the receiver. */
  retryAfter?: Date | undefined
}

export const findRetryTime = (
  failures: number,
  now: Date,
  { longestMs = LONGEST_RETRY_MS, retryAfter }: Limits = {},
) => {
  const backoff = now.getTime() + withJitter(backoffMs(failures, FIRST_RETRY_MS, longestMs))
  const requested = Math.min(retryAfter?.getTime() ?? 0, now.getTime() + LONGEST_RETRY_AFTER_MS)
  return new Date(Math.max(backoff, requested))
}

/** Also for an attempt that was superseded by a requested one: it was made. */
export const finishAttempt = (
  db: Db,
  tenantId: string,
  { id, attempts }: Pick<Attempt, 'id' | 'attempts'>,
  { durationMs, status, body, problem }: Pick<Outcome, 'durationMs' | 'status' | 'body' | 'problem'>,
) =>
  db
    .updateTable('webhook_attempts')
    .set({ duration_ms: durationMs, response_status: status, response_body: body, problem })
    .where('tenant_id', '=', tenantId)
    .where('delivery_id', '=', id)
    .where('attempt', '=', attempts)
    .execute()

const writeDelivery = async (db: Db, tenantId: string, attempt: Attempt, outcome: Outcome, now: Date) => {
  // A test is not retried, because a user is waiting for the result.
  const isOver = outcome.isAccepted || attempt.type === PING || now >= attempt.give_up_at
  const retryAt = findRetryTime(attempt.attempts, now, { retryAfter: outcome.retryAfter })
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({
      ...(isOver
        ? { state: outcome.isAccepted ? 'delivered' : 'failed', finished_at: now }
        : { due_at: retryAt < attempt.give_up_at ? retryAt : attempt.give_up_at }),
      response_status: outcome.status,
      problem: outcome.problem,
    })
    .where(isClaimedBy(tenantId, attempt))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const pauseEndpoint = async (db: Db, { tenant_id, id, name, url }: EndpointRow, reason: string, now: Date) => {
  const paused = await db
    .updateTable('webhook_endpoints')
    .set({ paused_at: now, pause_reason: reason })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('paused_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!paused) return
  await recordAudit(db, tenant_id, now, {
    performer: WEBHOOK_WORKER,
    action: 'webhook.pause',
    performee: name,
    details: { reason },
  })
  const pages = await findPages(db, tenant_id)
  await queueBrandedMail(db, tenant_id, await listAdministratorEmails(db, tenant_id), (_, timeZone) => ({
    subject: `The webhook “${name}” is paused`,
    paragraphs: [
      `${reason} No events are sent to it until an administrator resumes it on the page Webhooks. What happens meanwhile waits for three days.`,
    ],
    facts: [
      ['Webhook', name],
      ['Receiver', new URL(url).host],
      ['Time', formatMoment(now, timeZone)],
    ],
    ...(pages && { links: [['Webhooks', `${pages}/webhooks`]] }),
  }))
}

const writeFailure = async (db: Db, endpoint: EndpointRow, outcome: Outcome, now: Date) => {
  const { tenant_id, id } = endpoint
  const current = await db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  // The result for another address says nothing about this one.
  if (!current || current.url !== endpoint.url) return
  const failures = current.failures + 1
  const failingSince = current.failing_since ?? now
  await db
    .updateTable('webhook_endpoints')
    .set({
      failures,
      failing_since: failingSince,
      retry_at: findRetryTime(failures, now, {
        longestMs: LONGEST_ENDPOINT_PAUSE_MS,
        retryAfter: outcome.retryAfter,
      }),
    })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
  if (outcome.isGone) await pauseEndpoint(db, current, 'The receiver returned 410 Gone.', now)
  else if (now.getTime() - failingSince.getTime() >= DELIVER_WITHIN_MS)
    await pauseEndpoint(db, current, 'Every attempt has failed for three days.', now)
}

/** Records an attempt and its effect on the endpoint. An endpoint that has failed for three days is paused. */
export const recordOutcome = (
  database: Database,
  endpoint: EndpointRow,
  attempt: Attempt,
  outcome: Outcome,
  now: Date,
) =>
  database.transaction({ tenantId: endpoint.tenant_id }, async (db) => {
    const { tenant_id, id } = endpoint
    await finishAttempt(db, tenant_id, attempt, outcome)
    if (!(await writeDelivery(db, tenant_id, attempt, outcome, now))) return
    if (outcome.isAccepted)
      await db
        .updateTable('webhook_endpoints')
        .set({ failures: 0, failing_since: null, retry_at: null })
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', id)
        .where('failures', '>', 0)
        .execute()
    else if (attempt.type !== PING) await writeFailure(db, endpoint, outcome, now)
  })
