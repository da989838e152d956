import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { Listener } from '../platform/database/listen.ts'
import { advanceTiers } from './advance-tiers.ts'
import { createFeed, type Feed, type FeedLimits } from './feed.ts'
import type { FeedMonitor } from './feed-monitor.ts'
import { storeSamplesAhead } from './ingest-batch.ts'

const CHANNEL = 'telemetry_backlog'
const REQUEST_EVERY_MS = 1_000
// Each may need the memory of a batch and a connection to the database.
const MAX_ASSISTED = 2

interface Backlog {
  tenantId: string
  credentialId: number
  /** The time up to which tiers can be computed; null if it is unknown. */
  watermarkMs: number | null
}

/** Asks other processes to do part of a feed's work (best effort). */
export const createHelpRequest = (database: Database, getFeed: () => Feed) => {
  let requestedMs = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - requestedMs < REQUEST_EVERY_MS) return
    requestedMs = performance.now()
    const { tenantId, credentialId, getWatermarkMs, log } = getFeed()
    const backlog: Backlog = { tenantId, credentialId, watermarkMs: getWatermarkMs() }
    sql`select pg_notify(${CHANNEL}, ${JSON.stringify(backlog)})`
      .execute(database.outsideTenants)
      .catch((error: unknown) => log.debug({ err: error }, 'Other processes could not be asked to help.'))
  }
}

interface Options {
  listener: Listener
  database: Database
  monitor: FeedMonitor
  limits: FeedLimits
  log: FastifyBaseLogger
  now: () => number
}

/**
 * Does part of the work of credentials that another process reads and that have a backlog: stores the samples of batches
 * behind the one being applied, and computes tiers. Every step is claimed in its transaction, so nothing is done twice,
 * in whatever order the processes finish.
 */
export const startAssisting = ({ listener, database, monitor, limits, log, now }: Options) => {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()

  const assist = async ({ tenantId, credentialId, watermarkMs }: Backlog) => {
    const feed = createFeed({ tenantId, credentialId, database, monitor, limits, now, log })
    // Another process reads the credential.
    monitor.close(feed.monitored)
    const done: number[] = []
    while (!stopping.signal.aborted) {
      const batch = await storeSamplesAhead(feed, done)
      if (!batch) break
      done.push(batch.id)
      if (batch.isStored) monitor.totals.assistedBatches++
    }
    if (watermarkMs !== null) feed.advanceWatermark(watermarkMs)
    await advanceTiers(feed, stopping.signal)
  }

  const onBacklog = (backlog: Backlog) => {
    const { tenantId, credentialId } = backlog
    const key = `${tenantId}/${credentialId}`
    const isOwn = monitor.listFeeds().some((each) => each.tenantId === tenantId && each.credentialId === credentialId)
    if (isOwn || stopping.signal.aborted || running.has(key) || running.size >= MAX_ASSISTED) return
    const assisting = assist(backlog)
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return
        log.warn({ err: error, tenantId, credentialId }, 'Helping with a backlog failed.')
      })
      .finally(() => running.delete(key))
    running.set(key, assisting)
  }

  const ready = listener.subscribe({
    channel: CHANNEL,
    onConnected: () => {},
    onNotification: (payload) => onBacklog(JSON.parse(payload)),
  })
  return {
    /** Resolves once it listens. */
    ready,
    stop: async () => {
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}
