import { invalid } from '#contract/errors.ts'
import { internationalPhoneMessage } from '#contract/phone.ts'
import type { QuietHours } from '#contract/quiet-hours.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import { parsePhoneNumber } from '../platform/phone-number.ts'
import { changeSettings } from './settings-row.ts'

export const editProfile = (ctx: Context, { customerName, company }: { customerName: string; company: string }) =>
  ctx.transaction(async (db) => {
    const own = db.updateTable('users').where('tenant_id', '=', ctx.tenantId).where('id', '=', ctx.user.userId)
    const before = await db
      .selectFrom('users')
      .select(['customer_name as customerName', 'company'])
      .where('tenant_id', '=', ctx.tenantId)
      .where('id', '=', ctx.user.userId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await own.set({ customer_name: customerName, company }).execute()
    await recordAudit(db, ctx.tenantId, ctx.services.now(), {
      performer: ctx.user.email,
      action: 'profile.edit',
      performee: ctx.user.email,
      details: { before, after: { customerName, company } },
    })
    return { message: 'Your profile has been succesfully edited.' }
  })

export const setCheckOtp = (ctx: Context, { checkOtp }: { checkOtp: boolean }) =>
  ctx.transaction(async (db) => {
    const changed = await db
      .updateTable('users')
      .set({ check_otp: checkOtp })
      .where('tenant_id', '=', ctx.tenantId)
      .where('id', '=', ctx.user.userId)
      .where('check_otp', '<>', checkOtp)
      .executeTakeFirst()
    if (changed.numUpdatedRows > 0n)
      await recordAudit(db, ctx.tenantId, ctx.services.now(), {
        performer: ctx.user.email,
        action: 'profile.check_otp',
        performee: ctx.user.email,
        details: { before: { checkOtp: !checkOtp }, after: { checkOtp } },
      })
    return { checkOtp }
  })

export const changePhone = (ctx: Context, { phoneNumber }: { phoneNumber: string }) =>
  ctx.transaction(async (db) => {
    const parsed = parsePhoneNumber(phoneNumber)
    if (parsed === undefined) throw invalid(internationalPhoneMessage)
    await changeSettings(db, ctx, { phone_number: parsed })
    return { phoneNumber: parsed }
  })

/** Sets the terminals to notify about. If one is not visible to the user, nothing changes. */
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
