import { unauthorized } from '#contract/errors.ts'
import type { identity, SignIn } from '#contract/identity.ts'
import type { RouteInput } from '#contract/route.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { findUserByEmail, type SignInUser } from './find-user.ts'
import { mailCode } from './mail-code.ts'
import { delayLikeCheck, findMatchingHash } from './passwords.ts'
import { consume, mailedCodeLimit, refund, resetLimit, signInLimits } from './rate-limits.ts'
import { requireTenantId } from './require-tenant.ts'
import { startSession } from './sessions.ts'

/** The same answer for an unknown address, a wrong password and too many tries. */
const refused = () => unauthorized('The e-mail address or the password is not right.')

/** Somebody who signed in from here before is let through while others guess at their account. */
const hasSignedInFromHere = async (db: Db, visit: AnonymousContext, tenantId: string, userId: number) =>
  (await db
    .selectFrom('sessions')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('address', '=', visit.address)
    .limit(1)
    .executeTakeFirst()) !== undefined

const consumeSignInLimits = (visit: AnonymousContext, tenantId: string, email: string) =>
  visit.services.database.transaction({ tenantId }, async (db) => {
    const now = visit.services.now()
    const { pair, account, address } = signInLimits(email, visit.address)
    const few = await consume(db, tenantId, [pair], now)
    const fewOfAccount = await consume(db, tenantId, [account], now)
    const fewOfAddress = await consume(db, tenantId, [address], now)
    const user = await findUserByEmail(db, tenantId, email, now)
    const isOpen = fewOfAccount || (user !== undefined && (await hasSignedInFromHere(db, visit, tenantId, user.id)))
    return { allowed: few && fewOfAddress && isOpen, user }
  })

/** A right sign-in was no guess: it counts against nobody, and clears the count of this person at this address. */
export const clearSignInLimits = async (
  db: Db,
  visit: AnonymousContext,
  tenantId: string,
  { id, email }: SignInUser,
) => {
  const { pair, account, address } = signInLimits(email, visit.address)
  // In the order in which a try is counted, or two of one person would wait for each other.
  await resetLimit(db, tenantId, pair)
  await refund(db, tenantId, account)
  await refund(db, tenantId, address)
  await resetLimit(db, tenantId, mailedCodeLimit(id))
}

/** Whether the person is as they were when the password was compared; they stay so until the transaction ends. */
const isUnchanged = async (db: Db, tenantId: string, user: SignInUser) =>
  (await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .forShare()
    .executeTakeFirst()) !== undefined

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

export const signIn = async (visit: AnonymousContext, input: RouteInput<typeof identity.login>): Promise<SignIn> => {
  const tenantId = requireTenantId(visit)
  const { database, now } = visit.services
  const { allowed, user } = await consumeSignInLimits(visit, tenantId, input.email)
  if (!allowed) {
    await delayLikeCheck()
    throw refused()
  }
  const stored = [user?.is_lapsed ? undefined : user?.password_hash, user?.mailed_password_hash ?? undefined]
  const place = await findMatchingHash(stored, input.password)
  if (place === -1 || !user) throw refused()
  const isMailed = place === 1
  return database.transaction({ tenantId }, async (db) => {
    if (!(await isUnchanged(db, tenantId, user))) throw refused()
    if (isMailed) await spendMailedPassword(db, tenantId, user, now())
    if (user.check_otp) {
      if (!(await consume(db, tenantId, [mailedCodeLimit(user.id)], now()))) throw refused()
      await mailCode(db, visit.services, tenantId, user)
      return { access: null, refresh: null, requires2FA: true, newUser: false }
    }
    await clearSignInLimits(db, visit, tenantId, user)
    const tokens = await startSession(db, visit, tenantId, user.id)
    return { ...tokens, requires2FA: false, newUser: user.must_change_password || isMailed }
  })
}
