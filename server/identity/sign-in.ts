import { sql } from 'kysely'
import { ApiError, invalid, unauthorized } from '#contract/errors.ts'
import type { identity, SignIn } from '#contract/identity.ts'
import type { InputOf } from '#contract/route.ts'
import type { Visit } from '../context.ts'
import type { Db } from '../db.ts'
import { countAttempt, forgetAttempts } from './guessing.ts'
import { isPasswordRight } from './passwords.ts'
import { createRefreshToken, REFRESH_LIFETIME_DAYS, signAccessToken } from './tokens.ts'

export const tenantOf = (visit: Visit) => {
  if (visit.tenantId === undefined) throw invalid('Tenant information is missing. Please try again.')
  return visit.tenantId
}

const findUserByEmail = (db: Db, tenantId: string, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'password_hash', 'check_otp', 'must_change_password', 'initial_password_expires_at'])
    .where('tenant_id', '=', tenantId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()

const noteInitialPasswordUsed = (db: Db, tenantId: string, userId: number) =>
  db
    .updateTable('users')
    .set({ initial_password_expires_at: null })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .where('initial_password_expires_at', 'is not', null)
    .execute()

export const startSession = async (db: Db, visit: Visit, tenantId: string, userId: number) => {
  const refresh = createRefreshToken()
  const now = visit.services.now()
  const expiresAt = new Date(now)
  expiresAt.setUTCDate(expiresAt.getUTCDate() + REFRESH_LIFETIME_DAYS)
  const session = await db
    .insertInto('sessions')
    .values({
      tenant_id: tenantId,
      user_id: userId,
      refresh_hash: refresh.hash,
      created_at: now,
      expires_at: expiresAt,
      address: visit.address,
      user_agent: visit.userAgent,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const claims = { tenantId, userId, sessionId: session.id }
  return { access: await signAccessToken(visit.services.secrets.tokenKey, claims, now), refresh: refresh.token }
}

/** A password that somebody else chose and nobody used in time is no password any more. */
const isLapsed = (user: { initial_password_expires_at: Date | null } | undefined, now: Date) =>
  (user?.initial_password_expires_at ?? now) < now

/** The same answer for an unknown address, a wrong password and too many tries. */
const refused = () => unauthorized('The e-mail address or the password is not right.')

export const signIn = async (visit: Visit, input: InputOf<typeof identity.login>): Promise<SignIn> => {
  const tenantId = tenantOf(visit)
  const { database, now } = visit.services
  const { allowed, user } = await database.transaction({ tenantId }, async (db) => ({
    allowed: await countAttempt(db, tenantId, input.email, visit.address, now()),
    user: await findUserByEmail(db, tenantId, input.email),
  }))
  if (!allowed) throw refused()
  if (!(await isPasswordRight(user?.password_hash, input.password)) || !user || isLapsed(user, now())) throw refused()
  // Signing in by code is not built yet, and without the code nobody who asks for one gets in.
  if (user.check_otp) throw new ApiError(501, 'not_built', 'Signing in with a code is not available yet.')
  return database.transaction({ tenantId }, async (db) => {
    await noteInitialPasswordUsed(db, tenantId, user.id)
    await forgetAttempts(db, tenantId, input.email, visit.address)
    const tokens = await startSession(db, visit, tenantId, user.id)
    return { ...tokens, requires2FA: false, newUser: user.must_change_password }
  })
}
