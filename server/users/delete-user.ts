import { recordAudit } from '../audit/record.ts'
import { type Context, withAdministrators } from '../platform/context.ts'
import { publishUserEvent } from '../platform/publish-events.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { listAdministrators, requireOtherAdministrator } from './administrators.ts'
import { lockUser, toForm } from './queries.ts'

/** Sessions and grants are deleted with the user, so all their calls and streams end. */
export const deleteUser = (ctx: Context, { user_id }: { user_id: string }) => {
  const changed = withAdministrators(Number(user_id))
  return ctx.transaction(async (db) => {
    const administrators = await listAdministrators(db, ctx.tenantId)
    const before = await lockUser(db, ctx.tenantId, Number(user_id))
    requireOtherAdministrator(administrators, before.id)
    await db.deleteFrom('users').where('tenant_id', '=', ctx.tenantId).where('id', '=', before.id).execute()
    await publishUserEvent(db, ctx.tenantId, 'user.deleted', before.id, toForm(before))
    await recordAudit(db, ctx.tenantId, ctx.services.now(), {
      performer: ctx.user.email,
      action: 'user.delete',
      performee: before.email,
      details: { before: toForm(before) },
    })
    await recordSecurityEvent(db, ctx.tenantId, ctx.services.now(), {
      kind: 'user_deleted',
      account: before.email,
      actor: ctx.user.email,
      origin: ctx,
    })
    return { message: 'User deleted successfully' }
  }, changed)
}
