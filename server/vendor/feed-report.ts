import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import { type FeedName, recordFeedFailure, recordFeedSuccess } from './feed-state.ts'

interface Options {
  database: Database
  tenantId: string
  credentialId: number
  feed: FeedName
  log: FastifyBaseLogger
  now: () => number
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Keeps how a feed is doing where pages and the doctor read it, and logs when that changes, not with every try. */
export const createFeedReport = ({ database, tenantId, credentialId, feed, log, now }: Options) => {
  let failing: string | null = null

  const noteInDatabase = (work: Parameters<Database['transaction']>[1]) =>
    // The database itself may be what is failing; the log has told of it.
    database.transaction({ tenantId }, work).catch(() => {})

  return {
    succeeded: async ({ alreadyRecorded = false } = {}) => {
      if (failing !== null) log.info({ feed }, 'The feed works again.')
      failing = null
      if (alreadyRecorded) return
      await noteInDatabase((db) => recordFeedSuccess(db, { tenantId, credentialId, feed, at: new Date(now()) }))
    },
    failed: async (error: unknown) => {
      const message = messageOf(error)
      if (failing !== message) log.warn({ feed, failure: message }, 'The feed fails; it is tried again.')
      failing = message
      await noteInDatabase((db) =>
        recordFeedFailure(db, { tenantId, credentialId, feed, at: new Date(now()) }, message),
      )
    },
  }
}

export type FeedReport = ReturnType<typeof createFeedReport>
