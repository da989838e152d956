import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import { createStarlinkClient, type StarlinkClient } from '#starlink/client.ts'
import { startTenantWork } from '../messages/tenant-work.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { purgeOldResponses } from '../platform/http/idempotency.ts'
import type { Secrets } from '../platform/secrets.ts'
import { listCredentials } from '../vendor/credentials.ts'
import { createSharedBudget } from '../vendor/request-shares.ts'
import { addDays, toDay } from './days.ts'
import { deliverOrders } from './deliver-orders.ts'
import { lockPool } from './pool-row.ts'
import { reconcilePool } from './reconcile-pool.ts'

interface Options {
  database: Database
  connection: pg.ClientConfig
  secrets: Secrets
  log: FastifyBaseLogger
  now: () => Date
}

/** Pools whose cycle is over, or of which the vendor has told something since they were last looked at. */
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
}

const RETRY_MS = 60_000

/**
 * Reconciles each stale pool in a transaction of its own, so that users can save the others meanwhile and one that fails
 * does not hold up the rest. Returns when a failed one is to be tried again.
 */
export const reconcilePools = async ({ database, tenantId, log }: PoolScope, now: Date): Promise<Date | undefined> => {
  const stale = await database.transaction({ tenantId }, (db) => listStale(db, tenantId, now))
  let retryAt: Date | undefined
  for (const poolId of stale)
    await database
      .transaction({ tenantId }, async (db) => reconcilePool(db, await lockPool(db, tenantId, poolId), now))
      .catch((error: unknown) => {
        log.error({ err: error, tenantId, poolId }, 'A pool could not be reconciled; it is tried again.')
        retryAt = new Date(now.getTime() + RETRY_MS)
      })
  return retryAt
}

/** Keeps the pools of every tenant: cycles, usage, limits and the orders that follow. Any number of processes may. */
export const startPoolWork = ({ database, connection, secrets, log, now }: Options) => {
  const stopping = new AbortController()
  const clients = new Map<string, StarlinkClient>()
  const clientOf = async (tenantId: string, credentialId: number) => {
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
  const working = startTenantWork({
    database,
    connection,
    log,
    now,
    work: async (tenantId) => {
      const retryAt = await reconcilePools({ database, tenantId, log }, now())
      await purgeOldResponses(database, tenantId, now())
      const next = await deliverOrders({
        database,
        tenantId,
        clientOf: (credentialId) => clientOf(tenantId, credentialId),
        now,
        stop: stopping.signal,
        log,
      })
      const midnight = new Date(`${addDays(toDay(now()), 1)}T00:00:00Z`)
      return [next, retryAt].reduce<Date>((first, at) => (at && at < first ? at : first), midnight)
    },
  })
  return {
    stop: async () => {
      stopping.abort()
      await working.stop()
    },
  }
}
