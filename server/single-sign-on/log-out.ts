import { LOGGED_OUT_PATH } from '#contract/sso-paths.ts'
import { requireSessionId } from '../identity/require-session.ts'
import { logOut as endOwnSession } from '../identity/sessions.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { findEnabledConnection } from './connection.ts'
import { findLogoutAddress } from './provider.ts'
import { withProvider } from './refuse.ts'
import { idPurpose } from './sessions.ts'

const findIdToken = (db: Db, tenantId: string, sessionId: string) =>
  db
    .selectFrom('sso_sessions')
    .select('id_token')
    .where('tenant_id', '=', tenantId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()

/** The URL that also ends the session at the provider. An unreachable provider must not prevent logging out here. */
const findProviderLogout = async (ctx: Context) => {
  const { tenantId, services } = ctx
  const sessionId = requireSessionId(ctx)
  const { connection, row } = await ctx.transaction(async (db) => ({
    connection: await findEnabledConnection(db, services.secrets, tenantId),
    row: await findIdToken(db, tenantId, sessionId),
  }))
  if (!connection || !row) return undefined
  const idToken = services.secrets.open(row.id_token, idPurpose(tenantId, sessionId))
  const target = { idToken, returnTo: `${ctx.origin}${LOGGED_OUT_PATH}` }
  return withProvider(ctx, () => findLogoutAddress(services, connection, target)).catch(() => undefined)
}

export const logOut = async (ctx: Context) => {
  const continueAt = await findProviderLogout(ctx)
  return { ...(await endOwnSession(ctx)), ...(continueAt && { continueAt }) }
}
