import { sql } from 'kysely'
import { RecoveryCode } from '#contract/credentials.ts'
import { unauthorized } from '#contract/errors.ts'
import type { Factor, identity, SignIn } from '#contract/identity.ts'
import type { RouteInput } from '#contract/route.ts'
import { spendRecoveryCode } from '../factors/recovery-codes.ts'
import { spendTotpCode } from '../factors/totp.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { sha256 } from '../platform/secrets.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { findUserByEmail } from './find-user.ts'
import { CHALLENGE_COOKIE, isMailedCode } from './mail-code.ts'
import { consume, refund } from './rate-limits.ts'
import { requireTenantId } from './require-tenant.ts'
import { mailSecurityNotice } from './security-mail.ts'
import { startSession } from './sessions.ts'
import { challengeLimit, codeNetworkLimit } from './sign-in-limits.ts'

const MAX_TRIES = 5

interface WaitingSignIn {
  user_id: number
  /** Null if no code was mailed. */
  code_hash: Buffer | null
  challenge_hash: Buffer
}

/** The same for a wrong code, an old one, one that was tried too often, and none at all. */
const refused = () => unauthorized('The code is not right, or it has expired.')

/**
 * Counts a try before the code is looked at: however many come at once, five are compared. Only whoever gave the password
 * has the challenge, so nobody else can use up the tries.
 */
const consumeCodeTry = async (db: Db, tenantId: string, challenge: string, email: string, now: Date) => {
  const { rows } = await sql<WaitingSignIn>`
    update sign_in_codes as code set tries = tries + 1
    from users
    where code.tenant_id = ${tenantId} and code.challenge_hash = ${sha256(challenge)}
      and lower(users.email) = ${email.toLowerCase()}
      and users.tenant_id = code.tenant_id and users.id = code.user_id
      and code.tries < ${MAX_TRIES} and code.expires_at > ${now}
    returning code.user_id, code.code_hash, code.challenge_hash`.execute(db)
  return rows[0]
}

/**
 * The factor that a code is right for. A code of an app and a recovery code are used from now on, whatever happens next.
 * Without a named factor it is what the user was last asked for.
 */
const checkCode = async (
  db: Db,
  { services: { secrets, now } }: AnonymousContext,
  tenantId: string,
  waiting: WaitingSignIn,
  { otp, factor }: { otp: string; factor?: Factor | undefined },
): Promise<Factor | undefined> => {
  const { user_id: userId, code_hash } = waiting
  const asked = RecoveryCode.safeParse(otp).success ? 'recovery' : (factor ?? (code_hash ? 'email' : 'totp'))
  const isRight = {
    email: () => isMailedCode(secrets, tenantId, waiting, otp),
    totp: () => spendTotpCode(db, secrets, { tenantId, userId }, otp, now()),
    recovery: () => spendRecoveryCode(db, tenantId, userId, otp, now()),
  }[asked]
  return (await isRight()) ? asked : undefined
}

/** The challenge is spent: of two who bring it at once, one gets in. */
const spendChallenge = async (db: Db, tenantId: string, { challenge_hash }: WaitingSignIn) => {
  const spent = await db
    .deleteFrom('sign_in_codes')
    .where('tenant_id', '=', tenantId)
    .where('challenge_hash', '=', challenge_hash)
    .executeTakeFirst()
  if (spent.numDeletedRows === 0n) throw refused()
}

const lockSignInUser = (db: Db, tenantId: string, userId: number) =>
  sql`select from users where tenant_id = ${tenantId} and id = ${userId} for no key update`.execute(db)

/** A user who did not use one has lost both the list of codes and the password. */
const notifyOfRecoveryCode = async (
  db: Db,
  context: AnonymousContext,
  tenantId: string,
  { id: userId, email: account }: { id: number; email: string },
) => {
  const now = context.services.now()
  await recordSecurityEvent(db, tenantId, now, { kind: 'recovery_code_used', account, userId, origin: context })
  const subject = 'A recovery code was used to sign in to your account'
  await mailSecurityNotice(db, tenantId, [account], { subject, account, actor: account, origin: context, now })
}

const recordFailure = async (db: Db, context: AnonymousContext, tenantId: string, email: string) => {
  const now = context.services.now()
  const user = await findUserByEmail(db, tenantId, email, now)
  const about = { account: user?.email ?? email, userId: user?.id, origin: context }
  await recordSecurityEvent(db, tenantId, now, { kind: 'code_failed', ...about })
}

export const verifyOtp = async (
  context: AnonymousContext,
  { email, otp, factor }: RouteInput<typeof identity.verifyOtp>,
): Promise<SignIn> => {
  const tenantId = requireTenantId(context)
  const { database, now } = context.services
  const challenge = context.cookies.read(CHALLENGE_COOKIE)
  // One transaction, also for the record of a failure: anybody may send codes, and each statement costs.
  const { consumed, waiting, used } = await database.transaction({ tenantId }, async (db) => {
    const consumed = await consume(db, tenantId, [codeNetworkLimit(context.address)], now())
    const waiting = challenge ? await consumeCodeTry(db, tenantId, challenge, email, now()) : undefined
    const used = waiting && (await checkCode(db, context, tenantId, waiting, { otp, factor }))
    if (!used) await recordFailure(db, context, tenantId, email)
    return { consumed, waiting, used }
  })
  if (!waiting || !used) throw refused()
  return database.transaction({ tenantId }, async (db) => {
    // In the order of a sign-in and of a try: the user, the limits, the code. Otherwise two submits at once would deadlock.
    await lockSignInUser(db, tenantId, waiting.user_id)
    const user = await findUserByEmail(db, tenantId, email, now())
    if (!user) throw refused()
    await refund(db, tenantId, consumed, [challengeLimit(user.id)])
    await spendChallenge(db, tenantId, waiting)
    if (used === 'recovery') await notifyOfRecoveryCode(db, context, tenantId, user)
    const tokens = await startSession(db, context, tenantId, user, { factor: used })
    return { ...tokens, requires2FA: false, newUser: user.must_change_password }
  })
}
