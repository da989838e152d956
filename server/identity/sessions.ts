import { sql } from 'kysely'
import type { AnonymousContext, Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { toCustomerNetwork } from '../platform/network.ts'
import { recordSecurityEvent, type SecurityEvent } from '../security-events/record.ts'
import { rememberDevice } from './known-devices.ts'
import { perMinutes, tryConsume } from './rate-limits.ts'
import { requireSessionId } from './require-session.ts'
import { mailSecurityNotice } from './security-mail.ts'
import { createRefreshToken, REFRESH_LIFETIME_DAYS, signAccessToken } from './tokens.ts'

/** Using an initial password in time makes it permanent. Signing in with a mailed password does not renew an expired one. */
const confirmInitialPassword = (db: Db, tenantId: string, userId: number, now: Date) =>
  db
    .updateTable('users')
    .set({ initial_password_expires_at: null })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .where('initial_password_expires_at', '>', now)
    .execute()

/** A client that does not store cookies counts as new each time. */
const newDeviceMailLimit = (userId: number) => perMinutes(`new-device-mail:${userId}`, 5, 24 * 60)

const recordSignIn = async (
  db: Db,
  context: AnonymousContext,
  tenantId: string,
  { id, email }: { id: number; email: string },
  details: SecurityEvent['details'],
) => {
  const about = { account: email, userId: id, origin: context }
  const now = context.services.now()
  const isNew = await rememberDevice(db, context, tenantId, id)
  const record = (kind: 'sign_in' | 'new_device') => recordSecurityEvent(db, tenantId, now, { kind, ...about, details })
  await record('sign_in')
  if (!isNew) return
  await record('new_device')
  if (await tryConsume(db, tenantId, [newDeviceMailLimit(id)], now))
    await mailSecurityNotice(db, tenantId, [email], {
      subject: 'Your account was signed in on a new device',
      account: email,
      actor: email,
      origin: context,
      now,
    })
}

/** As many as the profile lists. Each session may hold several streams open. */
export const MAX_SESSIONS = 100

/** Ends the oldest sessions of a user who has too many. The caller has locked the user or added a session. */
const endSurplusSessions = async (
  db: Db,
  context: AnonymousContext,
  tenantId: string,
  { id, email }: { id: number; email: string },
  sessionId: string,
) => {
  const now = context.services.now()
  const { rows } = await sql`
    update sessions set ended_at = ${now}
    from (
      select id from sessions
      where tenant_id = ${tenantId} and user_id = ${id} and id <> ${sessionId} and ended_at is null and expires_at > ${now}
      order by created_at desc, id offset ${MAX_SESSIONS - 1} for update
    ) as surplus
    where sessions.tenant_id = ${tenantId} and sessions.id = surplus.id
    returning sessions.id`.execute(db)
  if (rows.length === 0) return
  const details = { sessions: rows.length, reason: `more than ${MAX_SESSIONS} at once` }
  await recordSecurityEvent(db, tenantId, now, {
    kind: 'session_ended',
    account: email,
    userId: id,
    origin: context,
    details,
  })
}

export const startSession = async (
  db: Db,
  context: AnonymousContext,
  tenantId: string,
  user: { id: number; email: string },
  /** How the user signed in, if not with a password. */
  details?: SecurityEvent['details'],
) => {
  const userId = user.id
  const refresh = createRefreshToken()
  const now = context.services.now()
  await confirmInitialPassword(db, tenantId, userId, now)
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
      address: context.address,
      confirmed_at: now,
      network: toCustomerNetwork(context.address),
      user_agent: context.userAgent,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await endSurplusSessions(db, context, tenantId, user, session.id)
  await recordSignIn(db, context, tenantId, user, details)
  const claims = { tenantId, userId, sessionId: session.id }
  return { access: await signAccessToken(context.services.secrets.tokenKeys[0], claims, now), refresh: refresh.token }
}

/**
 * Ends a user's sessions, all or all but one, in a transaction that has locked the user. Their open streams end within
 * seconds.
 */
export const endSessions = (db: Db, tenantId: string, userId: number, now: Date, exceptSessionId?: string) =>
  db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(exceptSessionId !== undefined, (query) => query.where('id', '<>', exceptSessionId as string))
    .execute()

export const logOut = async (ctx: Context) => {
  await ctx.transaction(async (db) => {
    const now = ctx.services.now()
    await db
      .updateTable('sessions')
      .set({ ended_at: now })
      .where('tenant_id', '=', ctx.tenantId)
      .where('id', '=', requireSessionId(ctx))
      .execute()
    const { email: account, userId } = ctx.user
    await recordSecurityEvent(db, ctx.tenantId, now, { kind: 'signed_out', account, userId, origin: ctx })
  }, 'self')
  return { message: 'You are signed out.' }
}
