import { unauthorized } from '#contract/errors.ts'
import type { Context, Visit } from '../context.ts'
import { sha256 } from '../secrets.ts'
import { tenantOf } from './sign-in.ts'
import { signAccessToken } from './tokens.ts'

/** The refresh token does not rotate: every terminal opens in a new tab, and one tab refreshes for all. */
export const refreshSession = async (visit: Visit, input: { refresh: string }) => {
  const tenantId = tenantOf(visit)
  const { database, secrets, now } = visit.services
  const session = await database.transaction({ tenantId }, (db) =>
    db
      .selectFrom('sessions')
      .select(['id', 'user_id'])
      .where('tenant_id', '=', tenantId)
      .where('refresh_hash', '=', sha256(input.refresh))
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now())
      .executeTakeFirst(),
  )
  if (!session) throw unauthorized('Your session has ended. Please sign in again.')
  const claims = { tenantId, userId: session.user_id, sessionId: session.id }
  return { access: await signAccessToken(secrets.tokenKey, claims, now()) }
}

export const logOut = async (ctx: Context) => {
  await ctx.transaction((db) =>
    db
      .updateTable('sessions')
      .set({ ended_at: ctx.services.now() })
      .where('tenant_id', '=', ctx.tenantId)
      .where('id', '=', ctx.person.sessionId)
      .execute(),
  )
  return { message: 'You are signed out.' }
}
