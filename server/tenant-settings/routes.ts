import {
  type Retention,
  resolveRetention,
  type SettingsChange,
  type StoredSettings,
  type TenantSettings,
  type tenantSettings,
} from '#contract/tenant-settings.ts'
import { requireConfirmation } from '../identity/confirm-password.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import { listAdministratorEmails } from '../messages/administrators.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { changeTenantSettings, getTenantSettings, lockTenantSettings } from '../tenants/tenant-settings.ts'

const retained: Record<keyof Retention, string> = {
  ticketRetentionDays: 'Tickets',
  messageRetentionDays: 'Messages',
  securityEventRetentionDays: 'Security events',
}

/** The retention periods that become shorter, in words. */
const listShortened = (before: Retention, after: Retention) =>
  (Object.keys(retained) as (keyof Retention)[])
    .filter((name) => after[name] < before[name])
    .map((name) => `${retained[name]} are now deleted after ${after[name]} days instead of ${before[name]}`)

const required = { secondFactorForAdmins: 'administrators', secondFactorForUsers: 'users' } as const

const listUnprotected = (before: TenantSettings, after: TenantSettings) =>
  (Object.keys(required) as (keyof typeof required)[])
    .filter((name) => before[name] && !after[name])
    .map((name) => `A second factor is no longer required of ${required[name]}`)

/**
 * An attacker might shorten retention to cover their tracks, or with a stolen password turn off second factors. So this
 * requires reauthentication, and all administrators are notified.
 */
const guardWeakening = async (db: Db, ctx: Context, before: TenantSettings, after: TenantSettings) => {
  const installation = ctx.services.config.retention
  const weakened = [
    ...listShortened(
      resolveRetention({ settings: before, installation }),
      resolveRetention({ settings: after, installation }),
    ),
    ...listUnprotected(before, after),
  ]
  if (weakened.length === 0) return
  await requireConfirmation(db, ctx)
  await mailSecurityNotice(db, ctx.tenantId, await listAdministratorEmails(db, ctx.tenantId), {
    subject: weakened.join('; '),
    actor: ctx.user.email,
    origin: ctx,
    now: ctx.services.now(),
  })
}

const changeSettings = (ctx: Context, change: SettingsChange): Promise<StoredSettings> =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const now = services.now()
    const before = await lockTenantSettings(db, tenantId)
    const by = { performer: user.email, now }
    const { after, changed } = await changeTenantSettings(db, tenantId, by, before, change)
    await guardWeakening(db, ctx, before, after)
    if (changed.length > 0) {
      const about = { account: user.email, userId: user.userId, origin: ctx, details: { fields: changed.join(', ') } }
      await recordSecurityEvent(db, tenantId, now, { kind: 'settings_changed', ...about })
    }
    return { settings: after, installation: services.config.retention }
  })

export const tenantSettingsHandlers: Handlers<typeof tenantSettings> = {
  get: async ({ transaction, tenantId, services }) => ({
    settings: await transaction((db) => getTenantSettings(db, tenantId)),
    installation: services.config.retention,
  }),
  change: changeSettings,
}
