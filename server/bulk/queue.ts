import type { Database } from '../platform/database/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { assertFence } from '../platform/worker/fence.ts'
import type { Queue } from '../platform/worker/queues.ts'
import { changeNext } from './change-next.ts'
import { findBulk, listRunning } from './change-rows.ts'
import { endBulk } from './end-bulk.ts'
import { findValues } from './kinds.ts'
import { rebootNext } from './reboot-next.ts'
import { createRightsTransaction, RightsEnded } from './rights.ts'

/** Limited, so that other changes and tenants are not starved. */
const STEPS_PER_TURN = 20

export interface BulkOptions {
  database: Database
  secrets: Secrets
  now: () => Date
}

/** On start, a worker enqueues running changes, because jobs are not part of a backup. */
const requestRunning = (database: Database, tenantId: string) =>
  database.transaction({ tenantId }, async (db) => {
    for (const id of await listRunning(db, tenantId)) await enqueue(db, 'bulk', tenantId, { subject: id })
  })

/**
 * The queue for bulk changes. Its subjects are changes. It can be killed at any point: progress is stored with each step, and
 * a reboot that was sent is not sent again.
 */
export const createBulkQueue = (options: BulkOptions): Queue => {
  const { database, now } = options
  return {
    seed: 'tenants',
    concurrency: 2,
    retry: { firstMs: 5_000, longestMs: 5 * 60_000 },
    run: async (job, signal) => {
      const { tenantId, subject: id } = job
      if (id === '') {
        await requestRunning(database, tenantId)
        return undefined
      }
      const bulk = await database.transaction({ tenantId }, (db) => findBulk(db, tenantId, id, {}))
      if (bulk?.state !== 'running') return undefined
      const transaction = createRightsTransaction(database, { tenantId, ...bulk }, now)
      const values = findValues(bulk)
      try {
        for (let step = 0; step < STEPS_PER_TURN && !signal.aborted; step++) {
          const next = values
            ? await changeNext(transaction, job, bulk, values, now)
            : await rebootNext(transaction, job, bulk, options)
          if (next !== 'more') return next === 'finished' ? undefined : next
        }
      } catch (error) {
        if (!(error instanceof RightsEnded)) throw error
        await database.transaction({ tenantId }, async (db) => {
          await assertFence(db, job)
          await endBulk(db, tenantId, id, now(), { state: 'stopped', problem: error.message })
        })
        return undefined
      }
      return now()
    },
  }
}
