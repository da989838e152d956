import { rebootsPerMinute } from '#contract/bulk.ts'
import { ApiError } from '#contract/errors.ts'
import { rebootByPlace } from '../commands/reboot.ts'
import { assertFence } from '../platform/worker/fence.ts'
import type { Job } from '../platform/worker/queues.ts'
import { findBulk, type StoredBulk } from './change-rows.ts'
import { endBulk } from './end-bulk.ts'
import { listWaiting, settleLines } from './line-rows.ts'
import type { BulkOptions } from './queue.ts'
import type { RightsTransaction } from './rights.ts'

const TOO_MANY = 429
const PAUSE_MS = 60_000 / rebootsPerMinute

/**
 * Reboots the next terminal with a separate command, and returns when the next one is due. The command's idempotency key
 * makes sure that it is sent once, even if the process is killed in between.
 */
export const rebootNext = async (
  transaction: RightsTransaction,
  job: Job,
  { id, userId }: StoredBulk,
  { database, secrets, now }: BulkOptions,
): Promise<'finished' | Date> => {
  const { tenantId } = job
  const { step, email } = await transaction(async (db, _, user) => {
    await assertFence(db, job)
    const bulk = await findBulk(db, tenantId, id, { lock: true })
    const [next] = bulk?.state === 'running' ? await listWaiting(db, tenantId, id, 1) : []
    if (!next) await endBulk(db, tenantId, id, now(), { state: 'finished' })
    return { step: next, email: user.email }
  })
  if (!step) return 'finished'
  const dueAt = new Date(now().getTime() + PAUSE_MS)
  const context = {
    tenantId,
    services: { secrets, now },
    user: { userId, email },
    unguarded: database,
    transaction,
    idempotencyKey: `bulk ${id} ${step.position}`,
  }
  const failure = await rebootByPlace(context, step).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof ApiError) return error
      throw error
    },
  )
  // Other commands have used up the vendor's rate limit.
  if (failure?.status === TOO_MANY) return new Date(now().getTime() + (failure.retryAfterS ?? 1) * 1000)
  const { position } = step
  // The vendor's result is recorded even if the user's permissions have changed in the meantime.
  await database.transaction({ tenantId }, (db) =>
    settleLines(db, tenantId, id, [
      failure ? { position, state: 'failed', problem: failure.message } : { position, state: 'done' },
    ]),
  )
  return dueAt
}
