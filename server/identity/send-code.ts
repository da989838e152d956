import { sql } from 'kysely'
import { tooMany, unauthorized } from '#contract/errors.ts'
import { CODE_PAUSE_S, type identity } from '#contract/identity.ts'
import type { RouteInput } from '#contract/route.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { sha256 } from '../platform/secrets.ts'
import { mailCode } from './mail-code.ts'
import { consume, secondsUntil } from './rate-limits.ts'
import { requireTenantId } from './require-tenant.ts'
import { CHALLENGE_COOKIE, CHALLENGE_LIFETIME_S, findWaiting, lockSignInUser } from './sign-in-challenges.ts'
import { getChallengeLimit } from './sign-in-limits.ts'

interface WaitingSignIn {
  id: number
  email: string
  sent_at: Date | null
}

/**
 * A pending sign-in of a user who has chosen mailed codes as the second factor. Locks the user first, as a sign-in does: a
 * statement that waited for the lock would read the code as it was before the wait.
 */
const lockWaiting = async (db: Db, tenantId: string, challenge: string, email: string, now: Date) => {
  const waiting = await findWaiting(db, tenantId, challenge, now)
  if (!waiting) return
  await lockSignInUser(db, tenantId, waiting.user_id)
  const { rows } = await sql<WaitingSignIn>`
    select users.id, users.email, code.sent_at
    from sign_in_codes as code join users on users.tenant_id = code.tenant_id and users.id = code.user_id
    where code.tenant_id = ${tenantId} and code.challenge_hash = ${sha256(challenge)} and code.expires_at > ${now}
      and lower(users.email) = ${email.toLowerCase()} and users.check_otp`.execute(db)
  return rows[0]
}

/** Mails a code, or another one, to a user who gave the correct password in this browser. */
export const sendCode = async (context: AnonymousContext, { email }: RouteInput<typeof identity.sendCode>) => {
  const tenantId = requireTenantId(context)
  const { database, now } = context.services
  const challenge = context.cookies.read(CHALLENGE_COOKIE)
  if (!challenge) throw unauthorized('Please sign in again.')
  await database.transaction({ tenantId }, async (db) => {
    const waiting = await lockWaiting(db, tenantId, challenge, email, now())
    if (!waiting) throw unauthorized('Please sign in again.')
    const pauseUntil = new Date((waiting.sent_at?.getTime() ?? 0) + CODE_PAUSE_S * 1000)
    if (pauseUntil > now()) throw tooMany(secondsUntil(pauseUntil, now()))
    await consume(db, tenantId, [getChallengeLimit(waiting.id)], now())
    await mailCode(db, context, tenantId, waiting, challenge)
  })
  context.cookies.set(CHALLENGE_COOKIE, challenge, CHALLENGE_LIFETIME_S)
  return { message: 'A code has been sent to your email.' }
}
