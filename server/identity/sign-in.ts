import { sql } from 'kysely'
import { ApiError, unauthorized } from '#contract/errors.ts'
import type { identity, SignIn } from '#contract/identity.ts'
import type { RouteInput } from '#contract/route.ts'
import { listSignInFactors } from '../factors/factors.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'

import { toCustomerNetwork } from '../platform/network.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { findUserByEmail, mustUseSingleSignOn, type SignInUser } from './find-user.ts'
import { mailCode } from './mail-code.ts'
import { compareInTurn, runInTurn } from './passwords.ts'
import { consume, refund } from './rate-limits.ts'
import { requireTenantId } from './require-tenant.ts'
import { startSession } from './sessions.ts'
import { CHALLENGE_COOKIE, CHALLENGE_LIFETIME_S, startChallenge } from './sign-in-challenges.ts'
import { getChallengeLimit, getOwnPairLimit, listSignInLimits } from './sign-in-limits.ts'

/** Whether a user has signed in from a network before. Takes equally long if there is no such user. */
const isKnownToUser = async (db: Db, tenantId: string, network: string, userId: number | undefined) => {
  const { rows } = await sql`
    select from sessions where tenant_id = ${tenantId} and network = ${network} and user_id = ${userId ?? 0} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** The same error for an unknown address and a wrong password. */
const refused = () => unauthorized('The email address or the password is not right.')

/** A crash may lose the latest counts and events. Waiting for the disk on each guess would cost more. */
const ASYNC_COMMIT = { withAsyncCommit: true }

const recordRefusal = (
  context: AnonymousContext,
  tenantId: string,
  kind: 'sign_in_failed' | 'sign_in_locked',
  { email, id }: { email: string; id?: number },
) => {
  const { database, now } = context.services
  const event = { kind, account: email, userId: id, origin: context }
  return database.transaction({ tenantId }, (db) => recordSecurityEvent(db, tenantId, now(), event), ASYNC_COMMIT)
}

/** Finds the user of an attempt, and counts it before anything is compared. */
const beginAttempt = async (context: AnonymousContext, tenantId: string, network: string, email: string) => {
  const { database, now } = context.services
  let user: SignInUser | undefined
  const count = async (db: Db) => {
    user = await findUserByEmail(db, tenantId, email, now())
    const isKnown = await isKnownToUser(db, tenantId, network, user?.id)
    return consume(db, tenantId, listSignInLimits(email, context.address, isKnown), now())
  }
  try {
    return { consumed: await database.transaction({ tenantId }, count, ASYNC_COMMIT), user }
  } catch (error) {
    if (error instanceof ApiError) await recordRefusal(context, tenantId, 'sign_in_locked', user ?? { email })
    throw error
  }
}

/**
 * Waits for a turn before it counts and compares: attempts that arrive faster than passwords can be checked wait or are
 * refused without a database connection, and a refused attempt is not counted.
 */
const checkPassword = async (context: AnonymousContext, tenantId: string, email: string, password: string) => {
  const network = toCustomerNetwork(context.address)
  return runInTurn({ tenantId, network, lane: context.isKnownNetwork ? 'known' : 'stranger' }, async () => {
    const { user, consumed } = await beginAttempt(context, tenantId, network, email)
    const usable = user?.must_use_sso ? undefined : user
    const stored = [usable?.is_lapsed ? undefined : usable?.password_hash, usable?.mailed_password_hash ?? undefined]
    const place = await compareInTurn(stored, password)
    if (place !== -1 && user) return { user, consumed, isMailed: place === 1 }
    await recordRefusal(context, tenantId, 'sign_in_failed', user ?? { email })
    throw refused()
  })
}

/**
 * What the user needs besides the password; undefined if the password has changed since it was compared, or passwords are
 * not accepted any more. The row is locked for update until the transaction ends: later statements may change it, and with
 * shared locks two sign-ins of one user would deadlock.
 */
const lockUnchanged = async (db: Db, tenantId: string, user: SignInUser) => {
  const locked = await db
    .selectFrom('users')
    .select(['id', 'check_otp', 'has_second_factor'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .forNoKeyUpdate()
    .executeTakeFirst()
  // A separate statement: one that waited for the lock would read other tables as they were before the wait.
  const current = await db
    .selectFrom('users')
    .select(mustUseSingleSignOn('users').as('must_use_sso'))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', user.id)
    .executeTakeFirst()
  return current?.must_use_sso === false ? locked : undefined
}

const spendMailedPassword = async (db: Db, tenantId: string, user: SignInUser, now: Date) => {
  const spent = await db
    .updateTable('mailed_passwords')
    .set({ used_at: now })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', user.id)
    .where('password_hash', '=', user.mailed_password_hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (spent.numUpdatedRows === 0n) throw refused()
  await db
    .updateTable('users')
    .set({ must_change_password: true })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', user.id)
    .execute()
}

export const signIn = async (context: AnonymousContext, input: RouteInput<typeof identity.login>): Promise<SignIn> => {
  const tenantId = requireTenantId(context)
  const { database, now } = context.services
  const { user, consumed, isMailed } = await checkPassword(context, tenantId, input.email, input.password)
  const { challenge, ...response } = await database.transaction({ tenantId }, async (db) => {
    const locked = await lockUnchanged(db, tenantId, user)
    if (!locked) throw refused()
    if (isMailed) await spendMailedPassword(db, tenantId, user, now())
    await refund(db, tenantId, consumed, [getOwnPairLimit(input.email, context.address)])
    const factors = await listSignInFactors(db, tenantId, locked, context.origin)
    if (locked.has_second_factor || factors.length > 0) {
      await consume(db, tenantId, [getChallengeLimit(user.id)], now())
      const challenge = await startChallenge(db, tenantId, user.id, now())
      const waiting = { challenge, access: null, refresh: null, requires2FA: true, newUser: false }
      if (locked.has_second_factor) return { ...waiting, factors }
      await mailCode(db, context, tenantId, user, challenge)
      return waiting
    }
    const tokens = await startSession(db, context, tenantId, user)
    return { challenge: undefined, ...tokens, requires2FA: false, newUser: user.must_change_password || isMailed }
  })
  if (challenge) context.cookies.set(CHALLENGE_COOKIE, challenge, CHALLENGE_LIFETIME_S)
  return response
}
