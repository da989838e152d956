import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import { advanceEventClock } from '../platform/database/event-clock.ts'
import type { Queue } from '../platform/worker/queues.ts'
import { rewindEventClock } from './rewind-event-clock.ts'
import { sendDue } from './send-due.ts'

interface Options {
  database: Database
  log: Pick<FastifyBaseLogger, 'error'>
  now: () => Date
}

/** The queue that notifies every tenant's users about events of their lines. */
export const createNotificationQueue = ({ database, log, now }: Options): Queue => ({
  seed: 'tenants',
  concurrency: 2,
  retry: { firstMs: 5_000, longestMs: 5 * 60_000 },
  run: async ({ tenantId }, signal) => {
    const until = await database.transaction({ tenantId }, async (db) => {
      await rewindEventClock(db, tenantId)
      return advanceEventClock(db, tenantId)
    })
    const next = await sendDue({ database, tenantId, until, log, signal })
    // The event clock is the database's, which may differ from this machine's.
    return next && new Date(now().getTime() + next.getTime() - until.getTime())
  },
})
