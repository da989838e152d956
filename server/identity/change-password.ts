import { invalid } from '#contract/errors.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { toCustomerNetwork } from '../platform/network.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import type { Requester } from './hash-queue.ts'
import { archivePassword, listRecentHashes } from './password-history.ts'
import { refuseCommonPassword, reusedPassword } from './password-rules.ts'
import { findMatchingHash, hashPassword } from './passwords.ts'
import { listWorkingTokens, nameTokens } from './personal-tokens.ts'
import { listProofs, recordFailedConfirmation } from './proofs.ts'
import { consume, perMinutes } from './rate-limits.ts'
import { requireSessionId } from './require-session.ts'
import { mailSecurityNotice } from './security-mail.ts'
import { endSessions } from './sessions.ts'

interface PasswordTerms {
  now: Date
  keepSessionId?: string
  mustChange?: boolean
  /** When it expires if it is never used. */
  expiresAt?: Date
}

/** Sets a password and ends the user's sessions, all or all but one. Hashing is slow and stays outside the transaction. */
export const setPassword = async (
  db: Db,
  tenantId: string,
  userId: number,
  passwordHash: string,
  { now, keepSessionId, mustChange = false, expiresAt }: PasswordTerms,
) => {
  await archivePassword(db, tenantId, userId, now)
  await db
    .updateTable('users')
    .set({
      password_hash: passwordHash,
      must_change_password: mustChange,
      initial_password_expires_at: expiresAt ?? null,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .execute()
  for (const table of ['mailed_passwords', 'sign_in_codes'] as const)
    await db.deleteFrom(table).where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()
  await endSessions(db, tenantId, userId, now, keepSessionId)
}

const changeLimit = (userId: number) => perMinutes(`change-password:${userId}`, 10, 15)

/** Changes the password of the signed-in user and ends their other sessions. */
export const changeOwnPassword = async (ctx: Context, input: { currentPassword: string; newPassword: string }) => {
  const { tenantId, user, services } = ctx
  const now = services.now()
  const { proofs, recentHashes } = await ctx.transaction(async (db) => {
    await consume(db, tenantId, [changeLimit(user.userId)], now)
    return { proofs: await listProofs(db, ctx), recentHashes: await listRecentHashes(db, tenantId, user.userId) }
  })
  const requester: Requester = { tenantId, network: toCustomerNetwork(ctx.address), lane: 'known' }
  if ((await findMatchingHash(proofs, input.currentPassword, requester)) === -1) {
    await ctx.transaction((db) => recordFailedConfirmation(db, ctx))
    throw invalid('The current password is not right.')
  }
  await refuseCommonPassword(input.newPassword)
  if ((await findMatchingHash(recentHashes, input.newPassword, requester)) !== -1) throw reusedPassword()
  const passwordHash = await hashPassword(input.newPassword, requester)
  await ctx.transaction(async (db) => {
    await setPassword(db, tenantId, user.userId, passwordHash, { now, keepSessionId: requireSessionId(ctx) })
    await recordAudit(db, tenantId, now, {
      performer: user.email,
      action: 'user.change_password',
      performee: user.email,
    })
    const about = { account: user.email, userId: user.userId, origin: ctx }
    await recordSecurityEvent(db, tenantId, now, { kind: 'password_changed', ...about })
    const tokens = await listWorkingTokens(db, tenantId, user.userId, now)
    await mailSecurityNotice(db, tenantId, [user.email], {
      subject: 'Your password was changed',
      account: user.email,
      actor: user.email,
      origin: ctx,
      now,
      ...(tokens.length > 0 && { facts: [['API tokens that continue to work', nameTokens(tokens)]] }),
    })
  }, 'self')
}
