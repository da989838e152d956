import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { PING } from '#contract/webhook-event-types.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { createOutboundClient, type Resolve } from '../platform/outbound-request.ts'
import type { Secrets } from '../platform/secrets.ts'
import { readDueTime } from '../platform/worker/claim-item.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import type { Queue } from '../platform/worker/queues.ts'
import { createWebhookDelivery, LONGEST_WAIT_MS } from './deliver.ts'
import { findEndpoint } from './endpoint-rows.ts'

/** Limited, so that other endpoints and tenants are not starved. */
const DELIVERIES_PER_TURN = 50
/** Concurrent requests per endpoint. */
const LANES = 4

interface Options {
  database: Database
  secrets: Secrets
  log: Pick<FastifyBaseLogger, 'error'>
  now: () => Date
  /** Non-public networks that may be called. */
  allowedNetworks: readonly string[]
  resolve?: Resolve
  timeoutMs?: number
}

/** When the endpoint's next delivery is due. */
const findNextDue = async (db: Db, tenantId: string, id: string, now: Date): Promise<Date | undefined> => {
  const dueAt = readDueTime(sql`delivery.due_at`, now, LONGEST_WAIT_MS)
  const { rows } = await sql<{ due: Date | null }>`
    select min(case when delivery.type = ${PING} then ${dueAt}
      else greatest(${dueAt}, ${readDueTime(sql`endpoint.retry_at`, now, LONGEST_WAIT_MS)}) end) as due
    from webhook_deliveries as delivery
    join webhook_endpoints as endpoint on endpoint.tenant_id = delivery.tenant_id and endpoint.id = delivery.endpoint_id
    where delivery.tenant_id = ${tenantId} and delivery.endpoint_id = ${id} and delivery.state = 'queued'
      and (endpoint.paused_at is null or delivery.type = ${PING})`.execute(db)
  return rows[0]?.due ?? undefined
}

/** On start, a worker enqueues pending deliveries, because jobs are not part of a backup. */
const requestWaiting = (database: Database, tenantId: string) =>
  database.transaction({ tenantId }, async (db) => {
    const endpoints = await db
      .selectFrom('webhook_endpoints')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .orderBy('id')
      .execute()
    for (const { id } of endpoints) await enqueue(db, 'webhooks', tenantId, { subject: id })
  })

/**
 * The queue that sends events to the webhooks of every tenant. Its subjects are endpoints, so a dead one does not block the
 * others.
 */
export const createWebhookQueue = ({ database, secrets, log, now, allowedNetworks, ...options }: Options): Queue => {
  const client = createOutboundClient({
    allowedNetworks,
    timeoutMs: options.timeoutMs ?? 15_000,
    maxResponseBytes: 4_096,
    ...(options.resolve && { resolve: options.resolve }),
  })
  const { deliverNext } = createWebhookDelivery({ database, secrets, client, log, now })
  return {
    seed: 'tenants',
    concurrency: 8,
    retry: { firstMs: 5_000, longestMs: 5 * 60_000 },
    run: async ({ tenantId, subject }, signal) => {
      if (subject === '') {
        await requestWaiting(database, tenantId)
        return undefined
      }
      const endpoint = await database.transaction({ tenantId }, (db) => findEndpoint(db, tenantId, subject))
      if (!endpoint) return undefined
      let left = DELIVERIES_PER_TURN
      let isFailing = false
      const lane = async () => {
        while (!signal.aborted && !isFailing && left-- > 0) {
          const result = await deliverNext(tenantId, subject)
          if (result === 'nothing due') return
          isFailing ||= result === 'failed'
        }
      }
      await Promise.all(Array.from({ length: endpoint.failures > 0 ? 1 : LANES }, lane))
      const due = await database.transaction({ tenantId }, (db) => findNextDue(db, tenantId, subject, now()))
      return due && new Date(Math.max(due.getTime(), now().getTime()))
    },
  }
}
