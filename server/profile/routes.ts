import type { profile } from '#contract/profile.ts'
import type { sessions } from '#contract/sessions.ts'
import { changeOwnPassword } from '../identity/change-password.ts'
import type { Context } from '../platform/context.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { setAuditMail } from './audit-mail.ts'
import {
  changePhone,
  editProfile,
  selectTerminals,
  setCheckOtp,
  setListOrder,
  setQuietHours,
} from './change-profile.ts'
import { getProfile } from './get-profile.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts'
import { changeSettings } from './settings-row.ts'
import { consentToSms, enableSms } from './sms-consent.ts'
import { sendPhoneCode, verifyPhone } from './verify-phone.ts'

const columns = {
  enableNotification: 'by_email',
  statusChangeNotification: 'status_changes',
  dataUsageNotification: 'data_usage',
  warningNotification: 'warnings',
} as const

/** A checkbox that maps to one column. */
const checkbox = async <Input extends Partial<Record<keyof typeof columns, boolean>>>(ctx: Context, input: Input) => {
  const entries = Object.entries(input) as [keyof typeof columns, boolean][]
  const change = Object.fromEntries(entries.map(([name, value]) => [columns[name], value]))
  await ctx.transaction((db) => changeSettings(db, ctx, change))
  return input
}

export const profileHandlers: Handlers<typeof profile> = {
  get: getProfile,
  edit: editProfile,
  resetPassword: async (ctx, input) => {
    await changeOwnPassword(ctx, input)
    return { message: 'Your password has been changed. Your other sessions are signed out.' }
  },
  auditMail: setAuditMail,
  checkOtp: setCheckOtp,
  enableNotification: checkbox,
  enableSms,
  consentToSms,
  statusChange: checkbox,
  dataUsage: checkbox,
  warnings: checkbox,
  changePhone,
  sendPhoneCode,
  verifyPhone,
  selectTerminals,
  setMailDigest: async (ctx, { mailDigest }) => {
    await ctx.transaction((db) => changeSettings(db, ctx, { digest: mailDigest }))
    return { mailDigest }
  },
  setListOrder,
  setQuietHours,
}

export const sessionHandlers: Handlers<typeof sessions> = {
  list: listOwnSessions,
  end: endOwnSession,
  endOthers: endOtherSessions,
}
