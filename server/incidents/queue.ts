import type { Database, Db } from '../platform/database/database.ts'
import { advanceEventClock } from '../platform/database/event-clock.ts'
import { createTimedCache } from '../platform/timed-cache.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { HISTORY_SUBJECT, type Queue } from '../platform/worker/queues.ts'
import { collectLosses } from './collect-losses.ts'
import { findNextMoment } from './find-incidents.ts'
import { judgeLosses, lockIncidents } from './judge-losses.ts'
import { listKnownTerminals } from './known-terminals.ts'
import { storeGaps } from './store-gaps.ts'
import type { ReadClock } from './store-incidents.ts'

interface Options {
  database: Database
  now: () => Date
}

const DAY_MS = 86_400_000
/** How many days of history are evaluated in an installation without incidents. */
const FIRST_DAYS = 30
const LONGEST_WINDOW_MS = DAY_MS

const findFirst = (until: Date) => new Date(until.getTime() - FIRST_DAYS * DAY_MS)

const readProgress = async (db: Db, tenantId: string, until: Date) => {
  const row = await db
    .selectFrom('incident_progress')
    .select('collected_until')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.collected_until ?? findFirst(until)
}

const writeProgress = (db: Db, tenantId: string, since: Date, until: Date) =>
  db
    .insertInto('incident_progress')
    .values({ tenant_id: tenantId, collected_since: since, collected_until: until })
    .onConflict((clash) => clash.column('tenant_id').doUpdateSet({ collected_until: until }))
    .execute()

/** Evaluates the past again, as far back as the first time. */
const rewindProgress = (db: Db, tenantId: string, until: Date) =>
  db
    .updateTable('incident_progress')
    .set({ collected_until: findFirst(until) })
    .where('tenant_id', '=', tenantId)
    .execute()

/** A day after the first unprocessed change, or the current time. */
const findWindowEnd = async (db: Db, tenantId: string, after: Date, until: Date) => {
  const first = await db
    .selectFrom('status_intervals')
    .select('noted_at')
    .where('tenant_id', '=', tenantId)
    .where('noted_at', '>', after)
    .orderBy('noted_at')
    .limit(1)
    .executeTakeFirst()
  return first ? new Date(Math.min(until.getTime(), first.noted_at.getTime() + LONGEST_WINDOW_MS)) : until
}

/**
 * Evaluates up to a day of status changes. Returns the time up to which they are processed, and when to run next.
 */
export const judgeTenant = (
  database: Database,
  tenantId: string,
  until: Date,
  { listTerminals = listKnownTerminals, readClock = advanceEventClock as ReadClock } = {},
) =>
  database.transaction({ tenantId }, async (db) => {
    await lockIncidents(db, tenantId)
    const after = await readProgress(db, tenantId, until)
    const upTo = await findWindowEnd(db, tenantId, after, until)
    await collectLosses(db, tenantId, { after, upTo, until })
    await storeGaps(db, tenantId, until)
    await writeProgress(db, tenantId, after, upTo)
    const found = await judgeLosses(db, tenantId, until, { listTerminals, readClock })
    return { upTo, nextMs: findNextMoment(found, until.getTime()) }
  })

/** Terminals hardly ever move or appear, and a large fleet has a status change every few seconds. */
const cacheTerminals = (now: () => Date): typeof listKnownTerminals => {
  const cache = createTimedCache<Map<string, number[]>>({ lifetimeMs: 5 * 60_000, maxEntries: 1_000 })
  return (db, tenantId) => cache.get(tenantId, now(), () => listKnownTerminals(db, tenantId))
}

/** The queue that turns the status changes of every tenant into incidents. */
export const createIncidentQueue = ({ database, now }: Options): Queue => {
  const listTerminals = cacheTerminals(now)
  return {
    seed: 'tenants',
    concurrency: 1,
    retry: { firstMs: 5_000, longestMs: 5 * 60_000 },
    run: async ({ tenantId, subject }) => {
      const until = await database.transaction({ tenantId }, async (db) => {
        const now = await advanceEventClock(db, tenantId)
        if (subject === HISTORY_SUBJECT) {
          await rewindProgress(db, tenantId, now)
          await enqueue(db, 'incidents', tenantId)
        }
        return now
      })
      if (subject === HISTORY_SUBJECT) return undefined
      const { upTo, nextMs } = await judgeTenant(database, tenantId, until, { listTerminals })
      if (upTo < until) return now()
      // The event clock is the database's, which may differ from this machine's.
      return nextMs === null ? undefined : new Date(now().getTime() + nextMs - until.getTime())
    },
  }
}
