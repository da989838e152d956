import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { sha256 } from '../platform/secrets.ts'

// A correct password earns a challenge in a cookie. A second factor is accepted only together with it.

export const CHALLENGE_MINUTES = 10
export const CHALLENGE_COOKIE = 'sign-in-challenge'
export const CHALLENGE_LIFETIME_S = CHALLENGE_MINUTES * 60

const MAX_TRIES = 5

export const addChallengeLifetime = (now: Date) => new Date(now.getTime() + CHALLENGE_LIFETIME_S * 1000)

/** A sign-in that is waiting for a second factor. */
export interface WaitingSignIn {
  user_id: number
  /** Null if no code was mailed. */
  code_hash: Buffer | null
  challenge_hash: Buffer
}

export const startChallenge = async (db: Db, tenantId: string, userId: number, now: Date) => {
  const challenge = randomBytes(32).toString('base64url')
  await db
    .insertInto('sign_in_codes')
    .values({
      tenant_id: tenantId,
      challenge_hash: sha256(challenge),
      user_id: userId,
      expires_at: addChallengeLifetime(now),
    })
    .execute()
  return challenge
}

/** Finds the user of a challenge, without counting an attempt. */
export const findWaiting = (db: Db, tenantId: string, challenge: string, now: Date) =>
  db
    .selectFrom('sign_in_codes')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('challenge_hash', '=', sha256(challenge))
    .where('tries', '<', MAX_TRIES)
    .where('expires_at', '>', now)
    .executeTakeFirst()

/**
 * Counts an attempt before anything is compared: however many arrive at once, at most five are compared. Only a client
 * that gave the password has the challenge, so no one else can use up the attempts. `email`, if given, must be the
 * user's.
 */
export const consumeTry = async (db: Db, tenantId: string, challenge: string, now: Date, email?: string) => {
  const { rows } = await sql<WaitingSignIn>`
    update sign_in_codes as code set tries = tries + 1
    from users
    where code.tenant_id = ${tenantId} and code.challenge_hash = ${sha256(challenge)}
      and ${email === undefined ? sql`true` : sql`lower(users.email) = ${email.toLowerCase()}`}
      and users.tenant_id = code.tenant_id and users.id = code.user_id
      and code.tries < ${MAX_TRIES} and code.expires_at > ${now}
    returning code.user_id, code.code_hash, code.challenge_hash`.execute(db)
  return rows[0]
}

/** Consumes the challenge: of two concurrent requests with it, one gets true. */
export const spendChallenge = async (db: Db, tenantId: string, { challenge_hash }: WaitingSignIn) => {
  const spent = await db
    .deleteFrom('sign_in_codes')
    .where('tenant_id', '=', tenantId)
    .where('challenge_hash', '=', challenge_hash)
    .executeTakeFirst()
  return spent.numDeletedRows > 0n
}

/** Taken before the limits and the challenge, in the order of a sign-in: otherwise concurrent submits would deadlock. */
export const lockSignInUser = (db: Db, tenantId: string, userId: number) =>
  sql`select from users where tenant_id = ${tenantId} and id = ${userId} for no key update`.execute(db)
