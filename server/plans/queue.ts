import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { createStarlinkClient, type StarlinkClient } from '#starlink/client.ts'
import { recordUsageCrossings } from '../notifications/usage-crossings.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { advanceEventClock } from '../platform/database/event-clock.ts'
import { publishEvents } from '../platform/publish-events.ts'
import type { Secrets } from '../platform/secrets.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import type { Queue } from '../platform/worker/queues.ts'
import { listCredentials } from '../vendor/credentials.ts'
import { createSharedBudget } from '../vendor/request-shares.ts'
import { toDay } from './days.ts'
import { deliverOrders } from './deliver-orders.ts'
import { lockPool } from './pool-row.ts'
import { reconcilePool } from './reconcile-pool.ts'

interface Options {
  database: Database
  secrets: Secrets
  log: FastifyBaseLogger
  now: () => Date
}

/** Pools whose cycle is over, or whose usage was synced after they were last measured. */
const listStale = async (db: Db, tenantId: string, now: Date) => {
  const { rows } = await sql<{ id: number }>`
    select pool.id from pools as pool
    where pool.tenant_id = ${tenantId} and (
      pool.cycle_end <= ${toDay(now)}
      or coalesce(pool.measured_at, '-infinity') < (
        select max(last_success_at) from vendor_feeds where tenant_id = ${tenantId} and feed = 'usage'))
    order by pool.id`.execute(db)
  return rows.map(({ id }) => id)
}

interface PoolScope {
  database: Database
  tenantId: string
  log: Pick<FastifyBaseLogger, 'error'>
  /** Ends the work before the next pool; the rest stays stale. */
  signal: AbortSignal
}

const RETRY_MS = 60_000

/**
 * Reconciles each stale pool in its own transaction, so that users can save the others meanwhile and a failure does not
 * block the rest. Returns when to retry the failed ones.
 */
export const reconcilePools = async (
  { database, tenantId, log, signal }: PoolScope,
  now: Date,
): Promise<Date | undefined> => {
  const stale = await database.transaction({ tenantId }, (db) => listStale(db, tenantId, now))
  let retryAt: Date | undefined
  for (const poolId of stale) {
    if (signal.aborted) break
    await database
      .transaction({ tenantId }, async (db) => reconcilePool(db, await lockPool(db, tenantId, poolId), now))
      .catch((error: unknown) => {
        log.error({ err: error, tenantId, poolId }, 'A pool could not be reconciled; retrying later.')
        retryAt = new Date(now.getTime() + RETRY_MS)
      })
  }
  return retryAt
}

/** A crossing from days ago has an earlier date, and is not news. */
const publishCrossings = async (db: Db, tenantId: string, at: Date) => {
  const rows = await db
    .selectFrom('usage_crossings')
    .select(['service_line_id', 'pool_id', 'percent', 'used_gb', 'limit_gb'])
    .where('tenant_id', '=', tenantId)
    .where('crossed_at', '=', at)
    .orderBy('id')
    .execute()
  const events = rows.map(({ service_line_id: lineId, pool_id: poolId, percent, used_gb, limit_gb }) => ({
    type: 'usage.threshold_reached' as const,
    at,
    subject: { lineId, poolId, percent, usedGb: used_gb, limitGb: limit_gb },
  }))
  await publishEvents(db, tenantId, events, at)
}

const recordCrossings = (database: Database, tenantId: string) =>
  database.transaction({ tenantId }, async (db) => {
    const at = await advanceEventClock(db, tenantId)
    const crossings = await recordUsageCrossings(db, tenantId, at)
    if (crossings === 0) return
    await publishCrossings(db, tenantId, at)
    await enqueue(db, 'notifications', tenantId)
  })

const findNextCycleStart = async (database: Database, tenantId: string): Promise<Date | undefined> => {
  const row = await database.transaction({ tenantId }, (db) =>
    db
      .selectFrom('pools')
      .select(({ fn }) => fn.min('cycle_end').as('day'))
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst(),
  )
  return row?.day ? new Date(`${row.day}T00:00:00Z`) : undefined
}

const findEarliest = (...moments: (Date | undefined)[]) =>
  moments.reduce((first, moment) => (first && moment ? (moment < first ? moment : first) : (first ?? moment)))

/** The queue that keeps the pools of every tenant up to date: cycles, usage, limits and the resulting orders. */
export const createPoolQueue = ({ database, secrets, log, now }: Options) => {
  const stopping = new AbortController()
  const clients = new Map<string, StarlinkClient>()
  const getClient = async (tenantId: string, credentialId: number) => {
    const credentials = await database.transaction({ tenantId }, (db) => listCredentials(db, secrets, tenantId))
    const credential = credentials.find(({ id }) => id === credentialId)
    if (!credential) throw new Error(`Credential ${credentialId} is gone.`)
    const key = JSON.stringify(credential)
    let client = clients.get(key)
    if (!client) {
      const budget = createSharedBudget({ database, now, credential, share: 'orders' })
      client = createStarlinkClient({ ...credential, budget, signal: stopping.signal })
      clients.set(key, client)
    }
    return client
  }
  const queue: Queue = {
    seed: 'tenants',
    concurrency: 4,
    retry: { firstMs: 5_000, longestMs: 5 * 60_000 },
    run: async ({ tenantId }, signal) => {
      const retryAt = await reconcilePools({ database, tenantId, log, signal }, now())
      await recordCrossings(database, tenantId)
      const nextOrderAt = await deliverOrders({
        database,
        tenantId,
        getClient: (credentialId) => getClient(tenantId, credentialId),
        now,
        signal,
        log,
      })
      // A pool that failed at the end of its cycle is not due before its retry.
      return findEarliest(nextOrderAt, retryAt ?? (await findNextCycleStart(database, tenantId)))
    },
  }
  return {
    queue,
    /** Aborts vendor calls in flight. */
    close: () => stopping.abort(),
  }
}
