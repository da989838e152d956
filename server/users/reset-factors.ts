import { recordAudit } from '../audit/record.ts'
import { deleteFactors } from '../factors/factors.ts'
import { requireConfirmation } from '../identity/confirm-password.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import { endSessions } from '../identity/sessions.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { type RequestOrigin, recordSecurityEvent } from '../security-events/record.ts'
import { lockUser } from './queries.ts'

interface By {
  performer: string
  now: Date
  /** Absent when a CLI command does it. */
  origin?: RequestOrigin
}

/**
 * Removes all second factors of a user who has lost them, and signs them out everywhere. The user gets a mail: an attacker
 * who talks an administrator into this only needs the password.
 */
export const resetFactors = async (db: Db, tenantId: string, { performer, now, origin }: By, userId: number) => {
  const { id, email } = await lockUser(db, tenantId, userId)
  const removed = await deleteFactors(db, tenantId, id)
  if (removed.length === 0) return { message: `${email} has no second factor.` }
  await endSessions(db, tenantId, id, now)
  const details = { factors: removed.join(', ') }
  await recordAudit(db, tenantId, now, { performer, action: 'user.reset_factors', performee: email, details })
  await recordSecurityEvent(db, tenantId, now, {
    kind: 'factors_reset',
    account: email,
    userId: id,
    actor: performer,
    origin,
    details,
  })
  const subject = 'The second factors of your account were removed'
  await mailSecurityNotice(db, tenantId, [email], {
    subject,
    account: email,
    actor: performer,
    origin,
    now,
  })
  return { message: `The second factors of ${email} are removed: ${removed.join(', ')}.` }
}

export const resetUserFactors = (ctx: Context, { user_id }: { user_id: string }) =>
  ctx.transaction(async (db) => {
    await requireConfirmation(db, ctx)
    const by = { performer: ctx.user.email, now: ctx.services.now(), origin: ctx }
    return resetFactors(db, ctx.tenantId, by, Number(user_id))
  }, Number(user_id))
