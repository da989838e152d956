import { createHash } from 'node:crypto'
import { conflict } from '#contract/errors.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/database.ts'
import type { Json } from '../database/schema.ts'

/**
 * Runs a call once per Idempotency-Key. A repeated call gets the outcome of the first, even if they are concurrent; the
 * same key with different input is refused. `work` runs in the transaction of `db`, so a failed call may be retried under
 * its key.
 */
export const runOnce = async <Outcome extends Json>(
  db: Db,
  { tenantId, user, idempotencyKey, services }: Context,
  { call, input }: { call: string; input: unknown },
  work: () => Promise<Outcome>,
): Promise<Outcome> => {
  if (idempotencyKey === undefined) return work()
  const key = { tenant_id: tenantId, user_id: user.userId, key: idempotencyKey }
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest()
  // Waits while another transaction holds the same key.
  const claimed = await db
    .insertInto('idempotent_responses')
    .values({ ...key, call, input_hash: inputHash, responded_at: services.now() })
    .onConflict((clash) => clash.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (claimed) {
    const outcome = await work()
    await db
      .updateTable('idempotent_responses')
      .set({ response: JSON.stringify(outcome) })
      .where((row) => row.and(key))
      .execute()
    return outcome
  }
  const first = await db
    .selectFrom('idempotent_responses')
    .select(['call', 'input_hash', 'response'])
    .where((row) => row.and(key))
    .executeTakeFirstOrThrow()
  if (first.call !== call || !first.input_hash.equals(inputHash))
    throw conflict('This Idempotency-Key was used for another request. Please send a new one.')
  return first.response as Outcome
}

const RETENTION_MS = 7 * 24 * 60 * 60_000

/** Clients do not retry a call after a week. */
export const purgeOldResponses = (db: Db, tenantId: string, now: Date) =>
  db
    .deleteFrom('idempotent_responses')
    .where('tenant_id', '=', tenantId)
    .where('responded_at', '<', new Date(now.getTime() - RETENTION_MS))
    .execute()
