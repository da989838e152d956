import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { unauthorized } from '#contract/errors.ts'
import type { identity, SignIn } from '#contract/identity.ts'
import type { RouteInput } from '#contract/route.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { findUserByEmail } from './find-user.ts'
import { hashCode } from './mail-code.ts'
import { codeLimits, consume, refund, resetLimit } from './rate-limits.ts'
import { requireTenantId } from './require-tenant.ts'
import { startSession } from './sessions.ts'
import { clearSignInLimits } from './sign-in.ts'

const MAX_TRIES = 5

/** The same for a wrong code, an old one, one that was tried too often, and none at all. */
const refused = () => unauthorized('The code is not right, or it has expired.')

/** Counts a try before the code is looked at: however many come at once, five are compared. */
const consumeCodeTry = async (db: Db, tenantId: string, email: string, now: Date) => {
  const { rows } = await sql<{ user_id: number; code_hash: Buffer }>`
    update sign_in_codes as code set tries = tries + 1
    from users
    where users.tenant_id = ${tenantId} and lower(users.email) = ${email.toLowerCase()}
      and code.tenant_id = users.tenant_id and code.user_id = users.id
      and code.tries < ${MAX_TRIES} and code.expires_at > ${now}
    returning code.user_id, code.code_hash`.execute(db)
  return rows[0]
}

/** The code is spent: of two who bring it at once, one gets in. */
const spendCode = async (db: Db, tenantId: string, userId: number, codeHash: Buffer) => {
  const spent = await db
    .deleteFrom('sign_in_codes')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  if (spent.numDeletedRows === 0n) throw refused()
}

const recordFailure = (context: AnonymousContext, tenantId: string, email: string) => {
  const { database, now } = context.services
  return database.transaction({ tenantId }, async (db) => {
    const user = await findUserByEmail(db, tenantId, email, now())
    const about = { account: user?.email ?? email, userId: user?.id, origin: context }
    await recordSecurityEvent(db, tenantId, now(), { kind: 'code_failed', ...about })
  })
}

export const verifyOtp = async (
  context: AnonymousContext,
  { email, otp }: RouteInput<typeof identity.verifyOtp>,
): Promise<SignIn> => {
  const tenantId = requireTenantId(context)
  const { database, secrets, now } = context.services
  const { pair, address } = codeLimits(email, context.address)
  const waiting = await database.transaction({ tenantId }, async (db) =>
    (await consume(db, tenantId, [pair, address], now())) ? consumeCodeTry(db, tenantId, email, now()) : undefined,
  )
  const given = hashCode(secrets, tenantId, waiting?.user_id ?? 0, otp)
  if (!waiting || !timingSafeEqual(waiting.code_hash, given)) {
    await recordFailure(context, tenantId, email)
    throw refused()
  }
  return database.transaction({ tenantId }, async (db) => {
    await spendCode(db, tenantId, waiting.user_id, waiting.code_hash)
    const user = await findUserByEmail(db, tenantId, email, now())
    if (!user) throw refused()
    await resetLimit(db, tenantId, pair)
    await refund(db, tenantId, address)
    await clearSignInLimits(db, context, tenantId, user)
    const tokens = await startSession(db, context, tenantId, user)
    return { ...tokens, requires2FA: false, newUser: user.must_change_password }
  })
}
