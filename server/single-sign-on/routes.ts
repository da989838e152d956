import type { SsoChange, StoredSso, singleSignOn } from '#contract/single-sign-on.ts'
import { BACKCHANNEL_LOGOUT_PATH, CALLBACK_PATH, LOGGED_OUT_PATH } from '#contract/sso-paths.ts'
import { refusePausedSender } from '../identity/check-sender.ts'
import { requireConfirmation } from '../identity/confirm-password.ts'
import { requireSessionId } from '../identity/require-session.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import { listAdministratorEmails } from '../messages/administrators.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { changeSso, listAdministratorsForSso } from './change-settings.ts'
import { findSettings } from './connection.ts'
import { confirmAtProvider, finishSignOn, listSsoLimits, startSignOn } from './sign-on.ts'
import { testConnection } from './test-connection.ts'
import { tryClaims } from './try-claims.ts'

/** The tenant's hosts, and the origin of the page, which on localhost is not one of them. */
const listOrigins = async (db: Db, { tenantId, origin }: Context) => {
  const hosts = await db
    .selectFrom('tenant_hosts')
    .select('host')
    .where('tenant_id', '=', tenantId)
    .orderBy('host')
    .execute()
  const isHost = hosts.some(({ host }) => new URL(origin).hostname === host)
  return { hostOrigins: hosts.map(({ host }) => `https://${host}`), others: isHost ? [] : [origin] }
}

const getSso = async (db: Db, ctx: Context): Promise<StoredSso> => {
  const { hostOrigins, others } = await listOrigins(db, ctx)
  const origins = [...hostOrigins, ...others]
  const administrators = await listAdministratorsForSso(db, ctx.tenantId)
  return {
    settings: (await findSettings(db, ctx.tenantId)) ?? null,
    administrators: administrators.map(({ id, email, is_break_glass }) => ({
      user_id: String(id),
      email,
      isBreakGlass: is_break_glass,
    })),
    redirectUris: origins.map((origin) => `${origin}${CALLBACK_PATH}`),
    logoutUris: origins.map((origin) => `${origin}${LOGGED_OUT_PATH}`),
    backchannelLogoutUris: [
      ...hostOrigins.map((origin) => `${origin}${BACKCHANNEL_LOGOUT_PATH}`),
      ...others.map((origin) => `${origin}${BACKCHANNEL_LOGOUT_PATH}?tenant=${ctx.tenantId}`),
    ],
  }
}

/**
 * Changing the provider means controlling every identity, so it requires reauthentication, and all administrators are
 * notified.
 */
const changeSettings = (ctx: Context, change: SsoChange) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    await requireConfirmation(db, ctx)
    const now = services.now()
    const by = { performer: user.email, now, keepSessionId: requireSessionId(ctx) }
    const fields = await changeSso(db, services, tenantId, by, change)
    if (fields.length > 0) {
      const about = { account: user.email, origin: ctx }
      const details = { fields: `single sign-on: ${fields.join(', ')}` }
      await recordSecurityEvent(db, tenantId, now, { kind: 'settings_changed', ...about, userId: user.userId, details })
      await mailSecurityNotice(db, tenantId, await listAdministratorEmails(db, tenantId), {
        subject: 'Single sign-on was changed',
        actor: user.email,
        origin: ctx,
        now,
      })
    }
    return getSso(db, ctx)
  }, 'all')

const checkSender = refusePausedSender(({ address }) => listSsoLimits(address))

export const singleSignOnHandlers: Handlers<typeof singleSignOn> = {
  start: { checkSender, handle: startSignOn },
  finish: { checkSender, handle: finishSignOn },
  confirm: confirmAtProvider,
  get: (ctx) => ctx.transaction((db) => getSso(db, ctx)),
  change: changeSettings,
  tryClaims,
  test: testConnection,
}
