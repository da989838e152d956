import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { sha256 } from '../secrets.ts'

const WINDOW_MINUTES = 15

// One address guessing one account is stopped soon; a whole network guessing one account later, so that nobody can lock
// a stranger out from a single machine; one address guessing many accounts latest, as an office shares one.
const limits = (email: string, address: string) => [
  { key: `pair:${email.toLowerCase()}:${address}`, max: 10 },
  { key: `account:${email.toLowerCase()}`, max: 50 },
  { key: `address:${address}`, max: 100 },
]

/** Counts this try before anything is compared. False: too many in this window; the answer must not tell. */
export const countAttempt = async (db: Db, tenantId: string, email: string, address: string, now: Date) => {
  let allowed = true
  for (const { key, max } of limits(email, address)) {
    const { attempts } = await db
      .insertInto('sign_in_attempts')
      .values({ tenant_id: tenantId, key: sha256(key), window_start: now, attempts: 1 })
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'key']).doUpdateSet((eb) => {
          const expired = sql<boolean>`${eb.ref('sign_in_attempts.window_start')} < ${now}::timestamptz - make_interval(mins => ${WINDOW_MINUTES})`
          return {
            attempts: sql<number>`case when ${expired} then 1 else ${eb.ref('sign_in_attempts.attempts')} + 1 end`,
            window_start: sql<Date>`case when ${expired} then ${now}::timestamptz else ${eb.ref('sign_in_attempts.window_start')} end`,
          }
        }),
      )
      .returning('attempts')
      .executeTakeFirstOrThrow()
    if (attempts > max) allowed = false
  }
  return allowed
}

/** A right password clears the pair's count, not the account's: others may still be guessing. */
export const forgetAttempts = (db: Db, tenantId: string, email: string, address: string) =>
  db
    .deleteFrom('sign_in_attempts')
    .where('tenant_id', '=', tenantId)
    .where('key', '=', sha256(`pair:${email.toLowerCase()}:${address}`))
    .execute()
