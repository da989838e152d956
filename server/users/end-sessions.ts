import { recordAudit } from '../audit/record.ts'
import { listWorkingTokens, nameTokens } from '../identity/personal-tokens.ts'
import { endSessions } from '../identity/sessions.ts'
import type { Context } from '../platform/context.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { lockUser } from './queries.ts'

/** Signs a user out everywhere: their next call finds no session, and their live streams end within seconds. */
export const endUserSessions = (ctx: Context, { user_id }: { user_id: string }) =>
  ctx.transaction(async (db) => {
    const now = ctx.services.now()
    const { id, email } = await lockUser(db, ctx.tenantId, Number(user_id))
    const [ended] = await endSessions(db, ctx.tenantId, id, now)
    const sessions = Number(ended?.numUpdatedRows ?? 0)
    if (sessions > 0) {
      await recordAudit(db, ctx.tenantId, now, {
        performer: ctx.user.email,
        action: 'user.end_sessions',
        performee: email,
        details: { sessions },
      })
      await recordSecurityEvent(db, ctx.tenantId, now, {
        kind: 'session_ended',
        account: email,
        userId: id,
        actor: ctx.user.email,
        origin: ctx,
        details: { sessions },
      })
    }
    const tokens = await listWorkingTokens(db, ctx.tenantId, id, now)
    const left = tokens.length === 0 ? '' : ` API tokens that continue to work: ${nameTokens(tokens)}.`
    return { message: `${email} ${sessions === 0 ? 'was not signed in' : 'is signed out everywhere'}.${left}` }
  }, Number(user_id))
