import { conflict, invalid, notFound } from '#contract/errors.ts'
import type { NewPasskey } from '#contract/passkeys.ts'
import { updateHasFactor } from '../factors/factors.ts'
import {
  findSite,
  requireNamedSite,
  storePasskeyChallenge,
  takePasskeyChallenge,
} from '../factors/passkey-challenges.ts'
import { buildNewPasskeyOptions, listPasskeys, MAX_PASSKEYS, verifyNewPasskey } from '../factors/passkeys.ts'
import { requireConfirmation } from '../identity/confirm-password.ts'
import { requireSessionId } from '../identity/require-session.ts'
import type { Context } from '../platform/context.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { finishAdding, recordFactor } from './factor-changes.ts'

export const startOwnPasskey = (ctx: Context) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const site = requireNamedSite(ctx.origin)
    await requireConfirmation(db, ctx)
    const { config } = await getTenantConfiguration(db, tenantId)
    const shown = { company: config.company_name ?? 'Dishboard', email: user.email, customerName: user.customerName }
    const existing = await listPasskeys(db, tenantId, user.userId)
    if (existing.length >= MAX_PASSKEYS) throw conflict(`You have ${MAX_PASSKEYS} passkeys. Please remove one first.`)
    const options = await buildNewPasskeyOptions(site, { tenantId, userId: user.userId }, shown, existing)
    const holder = `session:${requireSessionId(ctx)}` as const
    await storePasskeyChallenge(db, tenantId, holder, options.challenge, services.now())
    return { options: { ...options } }
  })

/** The row for a passkey that the browser created for this session. The challenge is consumed either way. */
const checkNewPasskey = async (ctx: Context, passkey: NewPasskey) => {
  const challenge = await ctx.transaction(async (db) => {
    await requireConfirmation(db, ctx)
    return takePasskeyChallenge(db, ctx.tenantId, `session:${requireSessionId(ctx)}`, ctx.services.now())
  })
  if (!challenge) throw invalid('The passkey was not accepted. Please try again.')
  try {
    return await verifyNewPasskey(findSite(ctx.origin), challenge, passkey)
  } catch (error) {
    ctx.log.info({ err: error }, 'A new passkey was refused.')
    throw invalid('The passkey was not accepted. Please try again.')
  }
}

export const addOwnPasskey = async (ctx: Context, { name, passkey }: { name: string; passkey: NewPasskey }) => {
  const checked = await checkNewPasskey(ctx, passkey)
  return ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const added = await db
      .insertInto('passkeys')
      .values({ tenant_id: tenantId, user_id: user.userId, name, ...checked, created_at: services.now() })
      .onConflict((exists) => exists.columns(['tenant_id', 'credential_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw conflict('This passkey was added already.')
    const recoveryCodes = await finishAdding(db, ctx, `passkey ${name}`)
    return { message: `The passkey “${name}” has been added.`, recoveryCodes }
  }, 'self')
}

export const removeOwnPasskey = (ctx: Context, { passkeyId }: { passkeyId: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, user } = ctx
    await requireConfirmation(db, ctx)
    const removed = await db
      .deleteFrom('passkeys')
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', user.userId)
      .where('id', '=', passkeyId)
      .returning('name')
      .executeTakeFirst()
    if (!removed) throw notFound('There is no such passkey.')
    await updateHasFactor(db, tenantId, user.userId)
    await recordFactor(db, ctx, 'removed', `passkey ${removed.name}`)
    return { message: `The passkey “${removed.name}” has been removed.` }
  }, 'self')
