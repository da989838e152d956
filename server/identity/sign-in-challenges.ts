import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { sha256 } from '../platform/secrets.ts'

// Whoever gave the right password has a challenge in a cookie. Only with it is a second factor worth anything.

export const CHALLENGE_MINUTES = 10
export const CHALLENGE_COOKIE = 'sign-in-challenge'
export const CHALLENGE_LIFETIME_S = CHALLENGE_MINUTES * 60

const MAX_TRIES = 5

export const addChallengeLifetime = (now: Date) => new Date(now.getTime() + CHALLENGE_LIFETIME_S * 1000)

/** A sign-in that waits for a second factor. */
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

/** Whose challenge it is, without counting a try. */
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
 * Counts a try before anything is looked at: however many come at once, five are compared. Only whoever gave the password
 * has the challenge, so nobody else can use up the tries. `email` must be that of the user, where it was given.
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

/** The challenge is spent: of two who bring it at once, one gets true. */
export const spendChallenge = async (db: Db, tenantId: string, { challenge_hash }: WaitingSignIn) => {
  const spent = await db
    .deleteFrom('sign_in_codes')
    .where('tenant_id', '=', tenantId)
    .where('challenge_hash', '=', challenge_hash)
    .executeTakeFirst()
  return spent.numDeletedRows > 0n
}

/** Before the limits and the challenge, in the order of a sign-in: otherwise two submits at once would deadlock. */
export const lockSignInUser = (db: Db, tenantId: string, userId: number) =>
  sql`select from users where tenant_id = ${tenantId} and id = ${userId} for no key update`.execute(db)
