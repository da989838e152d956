import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import type { FeedMonitor, MonitoredFeed } from './feed-monitor.ts'
import { type FeedName, recordFeedFailure, recordFeedSuccess } from './feed-state.ts'

interface Options {
  database: Database
  monitor: FeedMonitor
  monitored: MonitoredFeed
  feed: FeedName
  log: FastifyBaseLogger
  now: () => number
}

const getMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Records a feed's health for pages and the doctor command. Logs when it changes; on every attempt only if `isLogged`. */
export const createFeedHealth = ({ database, monitor, monitored, feed, log, now }: Options) => {
  const { tenantId, credentialId } = monitored
  let failing: string | null = null

  const tryRecord = (work: Parameters<Database['transaction']>[1]) =>
    // The database itself may be failing. The failure is already logged.
    database.transaction({ tenantId }, work).catch(() => {})

  return {
    succeeded: async ({ alreadyRecorded = false } = {}) => {
      if (failing !== null) log.info({ feed }, 'The feed works again.')
      failing = null
      monitored.succeededMs[feed] = now()
      delete monitored.lastFailure[feed]
      if (alreadyRecorded) return
      await tryRecord((db) => recordFeedSuccess(db, { tenantId, credentialId, feed, at: new Date(now()) }))
    },
    failed: async (error: unknown, { retryInMs, isLogged = false }: { retryInMs: number; isLogged?: boolean }) => {
      const message = getMessage(error)
      if (failing !== message || isLogged)
        log.warn(
          { feed, failure: message, retryInMs },
          'The feed fails and will be retried. What it has read is stored.',
        )
      failing = message
      monitored.lastFailure[feed] = message
      monitor.countFailure(feed, error)
      await tryRecord((db) => recordFeedFailure(db, { tenantId, credentialId, feed, at: new Date(now()) }, message))
    },
  }
}

export type FeedHealth = ReturnType<typeof createFeedHealth>
