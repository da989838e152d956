import { unauthorized } from '#contract/errors.ts'
import type { identity, SignIn } from '#contract/identity.ts'
import type { RouteInput } from '#contract/route.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { recordSecurityEvent, type SecurityEvent } from '../security-events/record.ts'
import { findUserByEmail, type SignInUser } from './find-user.ts'
import { CHALLENGE_COOKIE, CHALLENGE_LIFETIME_S, mailCode } from './mail-code.ts'
import { delayLikeCheck, findMatchingHash } from './passwords.ts'
import { consume, mailedCodeLimit, refund, resetLimit, signInLimits } from './rate-limits.ts'
import { requireTenantId } from './require-tenant.ts'
import { startSession } from './sessions.ts'

/** The same response for an unknown address, a wrong password and too many tries. */
const refused = () => unauthorized('The e-mail address or the password is not right.')

/** A user who signed in from this address before may sign in while others guess at the account. */
const hasSignedInFromHere = async (db: Db, context: AnonymousContext, tenantId: string, userId: number) =>
  (await db
    .selectFrom('sessions')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('address', '=', context.address)
    .limit(1)
    .executeTakeFirst()) !== undefined

const recordRefusal = (
  db: Db,
  context: AnonymousContext,
  tenantId: string,
  kind: SecurityEvent['kind'],
  email: string,
  user: SignInUser | undefined,
) =>
  recordSecurityEvent(db, tenantId, context.services.now(), {
    kind,
    account: user?.email ?? email,
    userId: user?.id,
    origin: context,
  })

const consumeSignInLimits = (context: AnonymousContext, tenantId: string, email: string) =>
  context.services.database.transaction({ tenantId }, async (db) => {
    const now = context.services.now()
    const { pair, account, address } = signInLimits(email, context.address)
    const few = await consume(db, tenantId, [pair], now)
    const fewOfAccount = await consume(db, tenantId, [account], now)
    const fewOfAddress = await consume(db, tenantId, [address], now)
    const user = await findUserByEmail(db, tenantId, email, now)
    const isOpen = fewOfAccount || (user !== undefined && (await hasSignedInFromHere(db, context, tenantId, user.id)))
    const allowed = few && fewOfAddress && isOpen
    if (!allowed) await recordRefusal(db, context, tenantId, 'sign_in_locked', email, user)
    return { allowed, user }
  })

/** A correct sign-in was no guess: it counts against no limit, and clears the count of this user at this address. */
export const clearSignInLimits = async (
  db: Db,
  context: AnonymousContext,
  tenantId: string,
  { id, email }: SignInUser,
) => {
  const { pair, account, address } = signInLimits(email, context.address)
  // In the order in which a try is counted, or two sign-ins of one user would deadlock.
  await resetLimit(db, tenantId, pair)
  await refund(db, tenantId, account)
  await refund(db, tenantId, address)
  await resetLimit(db, tenantId, mailedCodeLimit(id))
}

/**
 * Whether the user is unchanged since the password was compared. The row stays locked until the transaction ends, not only
 * shared: what follows may change it, and two sign-ins of one user would then deadlock.
 */
const isUnchanged = async (db: Db, tenantId: string, user: SignInUser) =>
  (await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .forNoKeyUpdate()
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

export const signIn = async (context: AnonymousContext, input: RouteInput<typeof identity.login>): Promise<SignIn> => {
  const tenantId = requireTenantId(context)
  const { database, now } = context.services
  const { allowed, user } = await consumeSignInLimits(context, tenantId, input.email)
  if (!allowed) {
    await delayLikeCheck()
    throw refused()
  }
  const stored = [user?.is_lapsed ? undefined : user?.password_hash, user?.mailed_password_hash ?? undefined]
  const place = await findMatchingHash(stored, input.password)
  if (place === -1 || !user) {
    await database.transaction({ tenantId }, (db) =>
      recordRefusal(db, context, tenantId, 'sign_in_failed', input.email, user),
    )
    throw refused()
  }
  const isMailed = place === 1
  const { challenge, ...answer } = await database.transaction({ tenantId }, async (db) => {
    if (!(await isUnchanged(db, tenantId, user))) throw refused()
    if (isMailed) await spendMailedPassword(db, tenantId, user, now())
    if (user.check_otp) {
      if (!(await consume(db, tenantId, [mailedCodeLimit(user.id)], now()))) throw refused()
      const challenge = await mailCode(db, context.services, tenantId, user)
      const { id: userId, email: account } = user
      await recordSecurityEvent(db, tenantId, now(), { kind: 'code_sent', account, userId, origin: context })
      return { challenge, access: null, refresh: null, requires2FA: true, newUser: false }
    }
    await clearSignInLimits(db, context, tenantId, user)
    const tokens = await startSession(db, context, tenantId, user)
    return { challenge: undefined, ...tokens, requires2FA: false, newUser: user.must_change_password || isMailed }
  })
  if (challenge) context.cookies.set(CHALLENGE_COOKIE, challenge, CHALLENGE_LIFETIME_S)
  return answer
}
