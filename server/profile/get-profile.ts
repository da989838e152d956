import { sortNaturally } from '#contract/format/natural-order.ts'
import type { MailDigest } from '#contract/mail-digest.ts'
import type { Profile } from '#contract/profile.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getTimeZone } from '../platform/database/time-zone.ts'
import { findSettings, type SettingsRow } from './settings-row.ts'
import { getConsentState } from './sms-consent.ts'

const toQuietHours = (settings: SettingsRow, tenantZone: string) => ({
  quietFrom: settings.quiet_from_minute,
  quietUntil: settings.quiet_until_minute,
  timeZone: settings.time_zone ?? tenantZone,
  smsDailyLimit: settings.sms_daily_limit,
})

/** The lines visible to the transaction, by name. */
const listChoices = async (db: Db, tenantId: string) => {
  const lines = await db
    .selectFrom('service_lines')
    .select(['id', 'nickname', 'custom_name'])
    .where('tenant_id', '=', tenantId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()
  return sortNaturally(lines, ({ custom_name, nickname }) => custom_name ?? nickname).map(
    ({ id, nickname, custom_name }) => ({ id: String(id), nickname, customname: custom_name }),
  )
}

export const getProfile = (ctx: Context): Promise<Profile> =>
  ctx.transaction(async (db) => {
    const user = await db
      .selectFrom('users')
      .select(['customer_name', 'company', 'check_otp', 'gets_audit_mail'])
      .where('tenant_id', '=', ctx.tenantId)
      .where('id', '=', ctx.user.userId)
      .executeTakeFirstOrThrow()
    const settings = await findSettings(db, ctx.tenantId, ctx.user.userId)
    const terminalList = await listChoices(db, ctx.tenantId)
    const selected = new Set(settings.selected_line_ids.map(String))
    return {
      customerName: user.customer_name,
      company: user.company,
      checkOtp: user.check_otp,
      auditMail: ctx.user.role === 'admin' && user.gets_audit_mail,
      enableNotification: settings.by_email,
      enableSmsNotification: settings.by_sms,
      phoneNumber: settings.phone_number,
      phoneVerified: settings.phone_verified_at !== null,
      statusChangeNotification: settings.status_changes,
      dataUsageNotification: settings.data_usage,
      warningNotification: settings.warnings,
      // A selected line that the user may no longer see is left out.
      selectedTerminalList: terminalList.map(({ id }) => id).filter((id) => selected.has(id)),
      terminalList,
      mailDigest: settings.digest as MailDigest,
      smsConsent: await getConsentState(db, ctx, settings.phone_number),
      ...toQuietHours(settings, await getTimeZone(db, ctx.tenantId)),
    }
  })
