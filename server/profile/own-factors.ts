import { conflict, invalid, notFound } from '#contract/errors.ts'
import type { factors } from '#contract/factors.ts'
import { recordAudit } from '../audit/record.ts'
import { APP, deleteTotp, findTotp } from '../factors/factors.ts'
import { listPasskeys } from '../factors/passkeys.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../factors/recovery-codes.ts'
import { confirmTotp, startTotp } from '../factors/totp.ts'
import { requireConfirmation } from '../identity/confirm-password.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import type { Context } from '../platform/context.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { finishAdding, recordFactor } from './factor-changes.ts'
import { addOwnPasskey, removeOwnPasskey, startOwnPasskey } from './own-passkeys.ts'

const listOwnFactors = (ctx: Context) =>
  ctx.transaction(async (db) => {
    const { tenantId, user } = ctx
    const totp = await findTotp(db, tenantId, user.userId)
    return {
      totp: totp?.confirmed_at ? { addedAt: totp.confirmed_at, lastUsedAt: totp.last_used_at } : null,
      passkeys: (await listPasskeys(db, tenantId, user.userId)).map(({ id, name, host, created_at, last_used_at }) => ({
        id,
        name,
        host,
        addedAt: created_at,
        lastUsedAt: last_used_at,
      })),
      recoveryCodesLeft: await countRecoveryCodes(db, tenantId, user.userId),
    }
  })

const startOwnTotp = (ctx: Context) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    await requireConfirmation(db, ctx)
    const { config } = await getTenantConfiguration(db, tenantId)
    const shown = { issuer: config.company_name ?? 'Dishboard', label: user.email, now: services.now() }
    return startTotp(db, services.secrets, { tenantId, userId: user.userId }, shown)
  }, 'self')

const confirmOwnTotp = (ctx: Context, { code }: { code: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    await requireConfirmation(db, ctx)
    const owner = { tenantId, userId: user.userId }
    if (!(await confirmTotp(db, services.secrets, owner, code, services.now())))
      throw invalid('The code is not right. Please check the time of your device, and enter the newest code.')
    return { message: 'Your authenticator app has been added.', recoveryCodes: await finishAdding(db, ctx, APP) }
  }, 'self')

const removeOwnTotp = (ctx: Context) =>
  ctx.transaction(async (db) => {
    await requireConfirmation(db, ctx)
    if (!(await deleteTotp(db, ctx.tenantId, ctx.user.userId))) throw notFound('You have no authenticator app.')
    await recordFactor(db, ctx, 'removed', APP)
    return { message: 'Your authenticator app has been removed.' }
  }, 'self')

const createOwnRecoveryCodes = (ctx: Context) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const now = services.now()
    await requireConfirmation(db, ctx)
    const { has_second_factor } = await db
      .selectFrom('users')
      .select('has_second_factor')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', user.userId)
      .executeTakeFirstOrThrow()
    if (!has_second_factor) throw conflict('Please add a second factor first.')
    const recoveryCodes = await replaceRecoveryCodes(db, tenantId, user.userId, now)
    const account = user.email
    await recordAudit(db, tenantId, now, { performer: account, action: 'factor.recovery_codes', performee: account })
    const about = { account, userId: user.userId, origin: ctx }
    await recordSecurityEvent(db, tenantId, now, { kind: 'recovery_codes_created', ...about })
    const subject = 'New recovery codes were created for your account'
    await mailSecurityNotice(db, tenantId, [account], { subject, account, actor: account, origin: ctx, now })
    return { recoveryCodes }
  }, 'self')

export const factorHandlers: Handlers<typeof factors> = {
  list: listOwnFactors,
  startTotp: startOwnTotp,
  confirmTotp: confirmOwnTotp,
  removeTotp: removeOwnTotp,
  startPasskey: startOwnPasskey,
  addPasskey: addOwnPasskey,
  removePasskey: removeOwnPasskey,
  createRecoveryCodes: createOwnRecoveryCodes,
}
