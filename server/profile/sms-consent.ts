import { conflict } from '#contract/errors.ts'
import type { Profile } from '#contract/profile.ts'
import { smsConsentVersion } from '#contract/sms-consent.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { changeSettings, findSettings, writeSettings } from './settings-row.ts'

const hasConsented = async (db: Db, { tenantId, user }: Context, phoneNumber: string | null) =>
  (await db
    .selectFrom('sms_consents')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', user.userId)
    .where('phone_number', 'is not distinct from', phoneNumber)
    .limit(1)
    .executeTakeFirst()) !== undefined

export const hasStopped = async (db: Db, tenantId: string, phoneNumber: string | null) =>
  phoneNumber !== null &&
  (await db
    .selectFrom('sms_stops')
    .select('phone_number')
    .where('tenant_id', '=', tenantId)
    .where('phone_number', '=', phoneNumber)
    .executeTakeFirst()) !== undefined

export const getConsentState = async (
  db: Db,
  ctx: Context,
  phoneNumber: string | null,
): Promise<Profile['smsConsent']> => {
  if (!(await hasConsented(db, ctx, phoneNumber))) return 'none'
  return (await hasStopped(db, ctx.tenantId, phoneNumber)) ? 'stopped' : 'given'
}

/**
 * Records who consented to which text for which number, when and from where; after that, SMS may be sent to
 * it.
 */
export const consentToSms = (ctx: Context) =>
  ctx.transaction(async (db) => {
    const { phone_number } = await findSettings(db, ctx.tenantId, ctx.user.userId)
    await db
      .insertInto('sms_consents')
      .values({
        tenant_id: ctx.tenantId,
        user_id: ctx.user.userId,
        email: ctx.user.email,
        phone_number,
        text_version: smsConsentVersion,
        address: ctx.address,
        user_agent: ctx.userAgent,
        consented_at: ctx.services.now(),
      })
      .execute()
    await writeSettings(db, ctx, { by_sms: true })
    await recordAudit(db, ctx.tenantId, ctx.services.now(), {
      performer: ctx.user.email,
      action: 'profile.consent_to_sms',
      performee: ctx.user.email,
      details: { after: { enableSmsNotification: true } },
    })
    return { enableSmsNotification: true }
  })

/** Consent given before there was a number applies to the first one. */
export const bindConsent = (db: Db, { tenantId, user }: Context, phoneNumber: string) =>
  db
    .updateTable('sms_consents')
    .set({ phone_number: phoneNumber })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', user.userId)
    .where('phone_number', 'is', null)
    .execute()

export const enableSms = (ctx: Context, { enableSmsNotification }: { enableSmsNotification: boolean }) =>
  ctx.transaction(async (db) => {
    if (enableSmsNotification) {
      const { phone_number } = await findSettings(db, ctx.tenantId, ctx.user.userId)
      const consent = await getConsentState(db, ctx, phone_number)
      if (consent === 'none') throw conflict('Please agree to SMS messaging first.')
      if (consent === 'stopped') throw conflict('This number has answered STOP. Please text START from it first.')
    }
    await changeSettings(db, ctx, { by_sms: enableSmsNotification })
    return { enableSmsNotification }
  })
