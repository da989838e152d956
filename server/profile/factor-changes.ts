import { recordAudit } from '../audit/record.ts'
import { updateHasFactor } from '../factors/factors.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../factors/recovery-codes.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { recordSecurityEvent } from '../security-events/record.ts'

/** Records that a factor was added or removed, and mails its owner. */
export const recordFactor = async (db: Db, ctx: Context, change: 'added' | 'removed', factor: string) => {
  const { tenantId, user, services } = ctx
  const now = services.now()
  const account = user.email
  const action = change === 'added' ? 'factor.add' : 'factor.remove'
  await recordAudit(db, tenantId, now, { performer: account, action, performee: account, details: { factor } })
  const about = { account, userId: user.userId, origin: ctx, details: { factor } }
  await recordSecurityEvent(db, tenantId, now, { kind: `factor_${change}`, ...about })
  const subject = `A second factor was ${change}: ${factor}`
  await mailSecurityNotice(db, tenantId, [account], { subject, account, actor: account, origin: ctx, now })
}

/** After a factor was added: sign-ins require it, and the user gets recovery codes unless there are some. */
export const finishAdding = async (db: Db, ctx: Context, factor: string) => {
  const { tenantId, user, services } = ctx
  await updateHasFactor(db, tenantId, user.userId)
  await recordFactor(db, ctx, 'added', factor)
  const hasCodes = (await countRecoveryCodes(db, tenantId, user.userId)) > 0
  return hasCodes ? null : replaceRecoveryCodes(db, tenantId, user.userId, services.now())
}
