import { conflict } from '#contract/errors.ts'
import { recordAudit } from '../audit/record.ts'
import { requireConfirmation } from '../identity/confirm-password.ts'
import { type Context, withAdministrators } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { notifyOwner } from './change-profile.ts'

const listRecipients = async (db: Db, tenantId: string) => {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('role', '=', 'admin')
    .where('gets_audit_mail', '=', true)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Subscribes to or unsubscribes from the daily mail. The mail exposes a forged log, so an attacker would
 * unsubscribe first.
 */
export const setAuditMail = (ctx: Context, { auditMail }: { auditMail: boolean }) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const recipients = await listRecipients(db, tenantId)
    if (recipients.includes(user.userId) === auditMail) return { auditMail }
    if (!auditMail) {
      await requireConfirmation(db, ctx)
      if (recipients.length === 1) throw conflict('At least one administrator has to get this mail.')
    }
    await db
      .updateTable('users')
      .set({ gets_audit_mail: auditMail })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', user.userId)
      .execute()
    await recordAudit(db, tenantId, services.now(), {
      performer: user.email,
      action: 'profile.audit_mail',
      performee: user.email,
      details: { before: { auditMail: !auditMail }, after: { auditMail } },
    })
    const subject = `The daily mail about the editing log is turned ${auditMail ? 'on' : 'off'} for your account`
    await notifyOwner(db, ctx, subject, 'auditMail')
    return { auditMail }
  }, withAdministrators(ctx.user.userId))
