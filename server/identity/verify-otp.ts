import { sql } from 'kysely'
import { unauthorized } from '#contract/errors.ts'
import type { identity, SignIn } from '#contract/identity.ts'
import type { RouteInput } from '#contract/route.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { sha256 } from '../platform/secrets.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { findUserByEmail } from './find-user.ts'
import { CHALLENGE_COOKIE, isMailedCode } from './mail-code.ts'
import { consume, refund } from './rate-limits.ts'
import { requireTenantId } from './require-tenant.ts'
import { startSession } from './sessions.ts'
import { codeNetworkLimit, mailedCodeLimit } from './sign-in-limits.ts'

const MAX_TRIES = 5

interface WaitingCode {
  user_id: number
  code_hash: Buffer
  challenge_hash: Buffer
}

/** The same for a wrong code, an old one, one that was tried too often, and none at all. */
const refused = () => unauthorized('The code is not right, or it has expired.')

/**
 * Counts a try before the code is looked at: however many come at once, five are compared. Only whoever gave the password
 * has the challenge, so nobody else can use up the tries.
 */
const consumeCodeTry = async (db: Db, tenantId: string, challenge: string, email: string, now: Date) => {
  const { rows } = await sql<WaitingCode>`
    update sign_in_codes as code set tries = tries + 1
    from users
    where code.tenant_id = ${tenantId} and code.challenge_hash = ${sha256(challenge)}
      and lower(users.email) = ${email.toLowerCase()}
      and users.tenant_id = code.tenant_id and users.id = code.user_id
      and code.tries < ${MAX_TRIES} and code.expires_at > ${now}
    returning code.user_id, code.code_hash, code.challenge_hash`.execute(db)
  return rows[0]
}

/** The code is spent: of two who bring it at once, one gets in. */
const spendCode = async (db: Db, tenantId: string, { challenge_hash }: WaitingCode) => {
  const spent = await db
    .deleteFrom('sign_in_codes')
    .where('tenant_id', '=', tenantId)
    .where('challenge_hash', '=', challenge_hash)
    .executeTakeFirst()
  if (spent.numDeletedRows === 0n) throw refused()
}

const lockSignInUser = (db: Db, tenantId: string, userId: number) =>
  sql`select from users where tenant_id = ${tenantId} and id = ${userId} for no key update`.execute(db)

const recordFailure = async (db: Db, context: AnonymousContext, tenantId: string, email: string) => {
  const now = context.services.now()
  const user = await findUserByEmail(db, tenantId, email, now)
  const about = { account: user?.email ?? email, userId: user?.id, origin: context }
  await recordSecurityEvent(db, tenantId, now, { kind: 'code_failed', ...about })
}

export const verifyOtp = async (
  context: AnonymousContext,
  { email, otp }: RouteInput<typeof identity.verifyOtp>,
): Promise<SignIn> => {
  const tenantId = requireTenantId(context)
  const { database, secrets, now } = context.services
  const challenge = context.cookies.read(CHALLENGE_COOKIE)
  // One transaction, also for the record of a failure: anybody may send codes, and each statement costs.
  const { consumed, waiting } = await database.transaction({ tenantId }, async (db) => {
    const consumed = await consume(db, tenantId, [codeNetworkLimit(context.address)], now())
    const waiting = challenge ? await consumeCodeTry(db, tenantId, challenge, email, now()) : undefined
    if (waiting && isMailedCode(secrets, tenantId, waiting, otp)) return { consumed, waiting }
    await recordFailure(db, context, tenantId, email)
    return { consumed, waiting: undefined }
  })
  if (!waiting) throw refused()
  return database.transaction({ tenantId }, async (db) => {
    // In the order of a sign-in and of a try: the user, the limits, the code. Otherwise two submits at once would deadlock.
    await lockSignInUser(db, tenantId, waiting.user_id)
    const user = await findUserByEmail(db, tenantId, email, now())
    if (!user) throw refused()
    await refund(db, tenantId, consumed, [mailedCodeLimit(user.id)])
    await spendCode(db, tenantId, waiting)
    const tokens = await startSession(db, context, tenantId, user)
    return { ...tokens, requires2FA: false, newUser: user.must_change_password }
  })
}
