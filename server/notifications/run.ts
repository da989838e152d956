import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { startTenantWork } from '../messages/tenant-work.ts'
import type { Database } from '../platform/database/database.ts'
import { advanceEventClock } from '../platform/database/event-clock.ts'
import { sendDue } from './send-due.ts'
import { recordUsageCrossings } from './usage-crossings.ts'

interface Options {
  database: Database
  connection: pg.ClientConfig
  log: FastifyBaseLogger
  now: () => Date
}

const LOOK_EVERY_MS = 20_000

/** Tells people of their terminals, in every tenant. */
export const startNotifications = ({ database, connection, log, now }: Options) =>
  startTenantWork({
    database,
    connection,
    log,
    now,
    work: async (tenantId) => {
      const until = await database.transaction({ tenantId }, async (db) => {
        const at = await advanceEventClock(db, tenantId)
        await recordUsageCrossings(db, tenantId, at)
        return at
      })
      await sendDue({ database, tenantId, until, log })
      return new Date(now().getTime() + LOOK_EVERY_MS)
    },
  })
