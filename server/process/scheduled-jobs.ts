import type { FastifyBaseLogger } from 'fastify'
import type { Retention } from '#contract/tenant-settings.ts'
import { anchorChain } from '../audit/anchor-chain.ts'
import { mailAuditHead } from '../audit-digest/mail-heads.ts'
import { measureClockSkew } from '../platform/database/clock-skew.ts'
import type { Database } from '../platform/database/database.ts'
import type { Queues } from '../platform/worker/queues.ts'
import { maintainPartitions } from '../telemetry/partitions.ts'
import { purgeExpired } from './purge-expired.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const retry = { firstMs: 30_000, longestMs: HOUR_MS }

const nextHourAt = (now: Date, minute: number) => {
  const thisHour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS + minute * 60_000
  return new Date(thisHour > now.getTime() ? thisHour : thisHour + HOUR_MS)
}

/** A random time in the given hour of the next UTC day (jitter), so that a thousand tenants do not run at once. */
const nextDayAt = (now: Date, hour: number) => {
  const tomorrow = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS
  return new Date(tomorrow + hour * HOUR_MS + Math.random() * HOUR_MS)
}

interface Options {
  database: Database
  now: () => Date
  dataDir: string
  log: FastifyBaseLogger
  retention: Retention
}

/** A process whose clock is ahead would delete what must be retained, for good. */
const readEarlierClock = async (database: Database, now: () => Date) => {
  const aheadMs = await measureClockSkew(database.outsideTenants, now)
  return new Date(now().getTime() - Math.max(0, aheadMs))
}

/** Jobs that run on a schedule. Runs that were missed while no process was up are made up for at startup. */
export const createScheduledQueues = ({ database, now, dataDir, log, retention }: Options): Queues => ({
  partitions: {
    seed: 'installation',
    concurrency: 1,
    retry,
    run: async () => {
      await maintainPartitions(database, (await readEarlierClock(database, now)).getTime())
      return nextHourAt(now(), 7)
    },
  },
  // Also requested half a minute after an entry.
  'audit-anchors': {
    seed: 'tenants',
    concurrency: 2,
    retry,
    run: async ({ tenantId }) => {
      const fault = await anchorChain(database, tenantId, { now: now(), dataDir })
      if (fault) log.error({ tenantId, entry: fault.seq }, `The editing log was altered. ${fault.problem}`)
      return nextDayAt(now(), 1)
    },
  },
  'audit-heads': {
    seed: 'tenants',
    concurrency: 1,
    retry,
    run: async ({ tenantId }) => {
      await mailAuditHead(database, tenantId, now(), dataDir)
      return nextDayAt(now(), 0)
    },
  },
  purge: {
    seed: 'tenants',
    concurrency: 1,
    retry,
    run: async ({ tenantId }) => {
      await purgeExpired(database, tenantId, await readEarlierClock(database, now), retention)
      return nextDayAt(now(), 3)
    },
  },
})
