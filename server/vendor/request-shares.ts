import { setTimeout as sleep } from 'node:timers/promises'
import { isCounted, type RequestBudget, VENDOR_MINUTE_MS, waitForRoomMs } from '#starlink/request-budget.ts'
import type { Database, Db } from '../platform/database/database.ts'
import type { VendorCredential } from './credentials.ts'

/**
 * How the vendor's budget of 250 requests a minute per account is divided. An account's feeds run in one process at a
 * time, which counts in memory. Any process may serve users and orders, so the database counts those.
 */
export const requestsPerMinute = { feeds: 130, orders: 60, commands: 60 }

interface Share {
  credential: Pick<VendorCredential, 'tenantId' | 'id'>
  share: 'orders' | 'commands'
}

interface Requests extends Share {
  count: number
  now: Date
  /** The requests are sent within this time and count as sent at its end. */
  sentWithinMs?: number
}

/** Counts requests before they are sent. If the share is used up, returns the milliseconds until there is room. */
export const countRequests = async (db: Db, requests: Requests): Promise<number> => {
  const { credential, share, count, now, sentWithinMs = 0 } = requests
  const key = { tenant_id: credential.tenantId, credential_id: credential.id, share }
  const row = await db
    .insertInto('vendor_request_shares')
    .values(key)
    // Changes nothing, but locks the row, so that a concurrent transaction waits here.
    .onConflict((known) => known.columns(['tenant_id', 'credential_id', 'share']).doUpdateSet({ share }))
    .returning('counts_until')
    .executeTakeFirstOrThrow()
  const untilMs = row.counts_until.map((until) => until.getTime()).filter((ms) => isCounted(ms, now.getTime()))
  const waitMs = waitForRoomMs(untilMs, count, requestsPerMinute[share], now.getTime())
  if (waitMs > 0) return waitMs
  const until = now.getTime() + sentWithinMs + VENDOR_MINUTE_MS
  await db
    .updateTable('vendor_request_shares')
    .set({ counts_until: [...untilMs, ...Array<number>(count).fill(until)].map((ms) => new Date(ms)) })
    .where('tenant_id', '=', key.tenant_id)
    .where('credential_id', '=', key.credential_id)
    .where('share', '=', share)
    .execute()
  return 0
}

interface BudgetOptions extends Share {
  database: Database
  now: () => Date
}

/** The remaining budget of a share, the same in every process. */
export const createSharedBudget = ({ database, now, ...share }: BudgetOptions): RequestBudget => ({
  take: async (signal) => {
    for (;;) {
      signal?.throwIfAborted()
      const { tenantId } = share.credential
      const waitMs = await database.transaction({ tenantId }, (db) =>
        countRequests(db, { ...share, count: 1, now: now() }),
      )
      if (waitMs === 0) return
      await sleep(waitMs, undefined, { signal })
    }
  },
})
