import { invalid } from '#contract/errors.ts'
import type { ListOrder } from '#contract/list-order.ts'
import { internationalPhoneMessage } from '#contract/phone.ts'
import type { QuietHours } from '#contract/quiet-hours.ts'
import { recordAudit } from '../audit/record.ts'
import { requireConfirmation } from '../identity/confirm-password.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { parsePhoneNumber } from '../platform/phone-number.ts'
import { publishUserEvent } from '../platform/publish-events.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { changeSettings, findSettings } from './settings-row.ts'
import { bindConsent, getConsentState } from './sms-consent.ts'

export const editProfile = (ctx: Context, { customerName, company }: { customerName: string; company: string }) =>
  ctx.transaction(async (db) => {
    const own = db.updateTable('users').where('tenant_id', '=', ctx.tenantId).where('id', '=', ctx.user.userId)
    const before = await db
      .selectFrom('users')
      .select(['customer_name as customerName', 'company'])
      .where('tenant_id', '=', ctx.tenantId)
      .where('id', '=', ctx.user.userId)
      .executeTakeFirstOrThrow()
    await own.set({ customer_name: customerName, company }).execute()
    const { tenantId, user, services } = ctx
    const form = { email: user.email, role: user.role, username: user.group, customerName }
    await publishUserEvent(db, tenantId, 'user.changed', user.userId, form, services.now())
    await recordAudit(db, ctx.tenantId, ctx.services.now(), {
      performer: ctx.user.email,
      action: 'profile.edit',
      performee: ctx.user.email,
      details: { before, after: { customerName, company } },
    })
    return { message: 'Your profile has been succesfully edited.' }
  }, 'self')

const isAskedForCode = async (db: Db, { tenantId, user }: Context) =>
  (
    await db
      .selectFrom('users')
      .select('check_otp')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', user.userId)
      .executeTakeFirstOrThrow()
  ).check_otp

/** Mails the user about a security-relevant change to their account, and records it. */
export const notifyOwner = async (db: Db, ctx: Context, subject: string, field: string) => {
  const { email: account, userId } = ctx.user
  const now = ctx.services.now()
  await mailSecurityNotice(db, ctx.tenantId, [account], { subject, account, actor: account, origin: ctx, now })
  const details = { fields: field }
  await recordSecurityEvent(db, ctx.tenantId, now, { kind: 'user_changed', account, userId, origin: ctx, details })
}

export const setCheckOtp = (ctx: Context, { checkOtp }: { checkOtp: boolean }) =>
  ctx.transaction(async (db) => {
    if (!checkOtp && (await isAskedForCode(db, ctx))) await requireConfirmation(db, ctx)
    const changed = await db
      .updateTable('users')
      .set({ check_otp: checkOtp })
      .where('tenant_id', '=', ctx.tenantId)
      .where('id', '=', ctx.user.userId)
      .where('check_otp', '<>', checkOtp)
      .executeTakeFirst()
    if (changed.numUpdatedRows > 0n) {
      await recordAudit(db, ctx.tenantId, ctx.services.now(), {
        performer: ctx.user.email,
        action: 'profile.check_otp',
        performee: ctx.user.email,
        details: { before: { checkOtp: !checkOtp }, after: { checkOtp } },
      })
      await notifyOwner(db, ctx, `Codes at sign-in are turned ${checkOtp ? 'on' : 'off'} for your account`, 'checkOtp')
    }
    return { checkOtp }
  }, 'self')

export const changePhone = (ctx: Context, { phoneNumber }: { phoneNumber: string }) =>
  ctx.transaction(async (db) => {
    const parsed = parsePhoneNumber(phoneNumber)
    if (parsed === undefined) throw invalid(internationalPhoneMessage)
    const { phone_number: before } = await findSettings(db, ctx.tenantId, ctx.user.userId)
    if (parsed === before) return { phoneNumber: parsed }
    await requireConfirmation(db, ctx)
    if (before === null) await bindConsent(db, ctx, parsed)
    const isAgreed = (await getConsentState(db, ctx, parsed)) !== 'none'
    await changeSettings(db, ctx, {
      phone_number: parsed,
      phone_verified_at: null,
      // Another number requires a new consent.
      ...(!isAgreed && { by_sms: false }),
    })
    await notifyOwner(db, ctx, `The phone number of your account now ends in ${parsed.slice(-4)}`, 'phoneNumber')
    return { phoneNumber: parsed }
  })

/** Sets the terminals to notify about. If the user may not see one of them, nothing changes. */
export const selectTerminals = (ctx: Context, { selectedTerminalList }: { selectedTerminalList: string[] }) =>
  ctx.transaction(async (db) => {
    const visible = await db.selectFrom('service_lines').select('id').where('tenant_id', '=', ctx.tenantId).execute()
    const known = new Set(visible.map(({ id }) => String(id)))
    const chosen = [...new Set(selectedTerminalList)]
    const unknown = chosen.find((id) => !known.has(id))
    if (unknown !== undefined) throw invalid('selectedTerminalList: one of these terminals is not yours.')
    await changeSettings(db, ctx, { selected_line_ids: chosen.map(Number) })
    return { selectedTerminalList: chosen }
  })

export const setQuietHours = (ctx: Context, hours: QuietHours) =>
  ctx.transaction(async (db) => {
    await changeSettings(db, ctx, {
      quiet_from_minute: hours.quietFrom,
      quiet_until_minute: hours.quietUntil,
      time_zone: hours.timeZone,
      sms_daily_limit: hours.smsDailyLimit,
    })
    return hours
  })

/** Not in the editing log, because it affects only the user. */
export const setListOrder = (ctx: Context, { listOrder }: { listOrder: ListOrder }) =>
  ctx.transaction(async (db) => {
    await db
      .updateTable('users')
      .set({ list_order: listOrder })
      .where('tenant_id', '=', ctx.tenantId)
      .where('id', '=', ctx.user.userId)
      .execute()
    return { listOrder }
  }, 'self')
