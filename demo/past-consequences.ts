import type { FastifyBaseLogger } from 'fastify'
import type { Database, Db } from '#server/platform/database/database.ts'
import { findPastIncidents } from './past-incidents.ts'
import { addMessages, hasMessages } from './past-messages.ts'
import { remakeReports } from './past-reports.ts'

interface Options {
  database: Database
  tenantIds: readonly string[]
  /** Resolves when the status history of the fleet and its users exist. */
  statusReady: Promise<void>
  log: FastifyBaseLogger
}

/** From then on, messages are sent as it happens. */
const findConnectedAt = async (db: Db, tenantId: string) => {
  const credential = await db
    .selectFrom('vendor_credentials')
    .select('created_at')
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirstOrThrow()
  return credential.created_at
}

/** Adds what the status history would have led to: incidents, messages about them, and reports with their figures. */
export const startPastConsequences = ({ database, tenantIds, statusReady, log }: Options) => {
  const stopping = new AbortController()
  const add = async () => {
    await statusReady
    for (const tenantId of tenantIds) {
      stopping.signal.throwIfAborted()
      const inTenant = <T>(work: (db: Db) => Promise<T>) => database.transaction({ tenantId }, work)
      const until = await inTenant((db) => findConnectedAt(db, tenantId))
      if (await inTenant((db) => hasMessages(db, tenantId, until))) continue
      await findPastIncidents(database, tenantId, stopping.signal)
      await remakeReports(database, tenantId)
      await inTenant((db) => addMessages(db, tenantId, until))
    }
  }
  const adding = add().catch((error: unknown) => {
    if (!stopping.signal.aborted) log.warn({ err: error }, 'The past incidents of the demo could not be added.')
  })
  return {
    stop: async () => {
      stopping.abort()
      await adding
    },
  }
}
