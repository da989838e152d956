import { conflict } from '#contract/errors.ts'
import { mustUseSingleSignOn } from '../identity/find-user.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import { listAdministratorEmails } from '../messages/administrators.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'

/**
 * Administrators who can always sign in: with single sign-on only, the break-glass ones. Call in a transaction that has
 * locked them, so that two who demote each other concurrently are serialized.
 */
export const listAdministrators = async (db: Db, tenantId: string) => {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('role', '=', 'admin')
    .where('is_service', '=', false)
    .where(mustUseSingleSignOn('users'), '=', false)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** A new administrator has full access, so all administrators are notified. */
export const notifyOfAdministrator = async (db: Db, ctx: Context, account: string) =>
  mailSecurityNotice(db, ctx.tenantId, await listAdministratorEmails(db, ctx.tenantId), {
    subject: `${account} is now an administrator`,
    account,
    actor: ctx.user.email,
    origin: ctx,
    now: ctx.services.now(),
  })

export const LAST_ADMINISTRATOR = 'The last administrator cannot be deleted or demoted.'

export const requireOtherAdministrator = (administrators: Set<number>, leavingId: number) => {
  if (administrators.has(leavingId) && administrators.size === 1) throw conflict(LAST_ADMINISTRATOR)
}
