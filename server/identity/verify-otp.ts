import { RecoveryCode } from '#contract/credentials.ts'
import { unauthorized } from '#contract/errors.ts'
import type { CodeFactor, identity, SignIn } from '#contract/identity.ts'
import type { RouteInput } from '#contract/route.ts'
import { spendRecoveryCode } from '../factors/recovery-codes.ts'
import { spendTotpCode } from '../factors/totp.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { findUserByEmail } from './find-user.ts'
import { isMailedCode } from './mail-code.ts'
import { consume, refund } from './rate-limits.ts'
import { requireTenantId } from './require-tenant.ts'
import { mailSecurityNotice } from './security-mail.ts'
import { startSession } from './sessions.ts'
import {
  CHALLENGE_COOKIE,
  consumeTry,
  lockSignInUser,
  spendChallenge,
  type WaitingSignIn,
} from './sign-in-challenges.ts'
import { getChallengeLimit, listCodeLimits } from './sign-in-limits.ts'

/** The same error for a wrong code, an expired one, one that was tried too often, and a missing one. */
const refused = () => unauthorized('The code is not right, or it has expired.')

/**
 * The factor that a code is valid for. An app code or recovery code is consumed, whatever happens next. If no factor is
 * named, it is the one that the user was last prompted for.
 */
const checkCode = async (
  db: Db,
  { services: { secrets, now } }: AnonymousContext,
  tenantId: string,
  waiting: WaitingSignIn,
  { otp, factor }: { otp: string; factor?: CodeFactor | undefined },
): Promise<CodeFactor | undefined> => {
  const { user_id: userId, code_hash } = waiting
  const usedFactor = RecoveryCode.safeParse(otp).success ? 'recovery' : (factor ?? (code_hash ? 'email' : 'totp'))
  const isRight = {
    email: () => isMailedCode(secrets, tenantId, waiting, otp),
    totp: () => spendTotpCode(db, secrets, { tenantId, userId }, otp, now()),
    recovery: () => spendRecoveryCode(db, tenantId, userId, otp, now()),
  }[usedFactor]
  return (await isRight()) ? usedFactor : undefined
}

/** If it was not the user, both the recovery codes and the password are compromised. */
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
  // One transaction, including the record of a failure: anyone may send codes, and each statement costs.
  const { consumed, waiting, used } = await database.transaction({ tenantId }, async (db) => {
    const consumed = await consume(db, tenantId, listCodeLimits(context.address), now())
    const waiting = challenge ? await consumeTry(db, tenantId, challenge, now(), email) : undefined
    const used = waiting && (await checkCode(db, context, tenantId, waiting, { otp, factor }))
    if (!used) await recordFailure(db, context, tenantId, email)
    return { consumed, waiting, used }
  })
  if (!waiting || !used) throw refused()
  return database.transaction({ tenantId }, async (db) => {
    await lockSignInUser(db, tenantId, waiting.user_id)
    const user = await findUserByEmail(db, tenantId, email, now())
    // The address may have been given to another user since.
    if (user?.id !== waiting.user_id || user.must_use_sso) throw refused()
    await refund(db, tenantId, consumed, [getChallengeLimit(user.id)])
    if (!(await spendChallenge(db, tenantId, waiting))) throw refused()
    if (used === 'recovery') await notifyOfRecoveryCode(db, context, tenantId, user)
    const tokens = await startSession(db, context, tenantId, user, { factor: used })
    return { ...tokens, requires2FA: false, newUser: user.must_change_password }
  })
}
