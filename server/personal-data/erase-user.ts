import { requireConfirmationOfUser } from '../identity/confirm-password.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import { listAdministratorEmails } from '../messages/administrators.ts'
import { type Context, withAdministrators } from '../platform/context.ts'
import { lockUser } from '../users/queries.ts'
import { erasePerson } from './erase.ts'

/** Deletes a user together with everything stored about them. The administrators are notified. */
export const eraseUser = (ctx: Context, { user_id }: { user_id: string }) =>
  ctx.transaction(
    async (db) => {
      const { tenantId, services, user } = ctx
      await requireConfirmationOfUser(db, ctx)
      const { email } = await lockUser(db, tenantId, Number(user_id))
      const now = services.now()
      const by = { performer: user.email, performerId: user.userId, now, origin: ctx }
      const { label, plainEntries } = await erasePerson(db, tenantId, email, by)
      await mailSecurityNotice(db, tenantId, await listAdministratorEmails(db, tenantId), {
        subject: 'The data of a user was erased',
        account: label,
        actor: user.email,
        origin: ctx,
        now,
      })
      return { message: `The user was erased and is now “${label}”.`, plainEntries }
    },
    withAdministrators(Number(user_id)),
  )
