import * as z from 'zod/mini'
import { Done, NoInput } from './basic-bodies.ts'
import { commaList, flag, looseBoolean } from './codecs.ts'
import { NewPassword, Otp, Password } from './credentials.ts'
import { listOrders } from './list-order.ts'
import { mailDigests } from './mail-digest.ts'
import { PhoneNumber } from './phone.ts'
import { QuietHours } from './quiet-hours.ts'
import { route } from './route.ts'
import { choice, requiredLine } from './text.ts'

/** Long enough for every terminal of a very large fleet, because one button selects all of them. */
export const selectedTerminals = commaList(1_000_000)

const Profile = z.object({
  customerName: z.string(),
  company: z.string(),
  checkOtp: looseBoolean,
  /** Whether the user, as an administrator, receives the daily mail about the editing log. */
  auditMail: looseBoolean,
  enableNotification: looseBoolean,
  enableSmsNotification: looseBoolean,
  phoneNumber: z.nullable(PhoneNumber),
  /** Whether the user has entered the code that was sent to the number. */
  phoneVerified: looseBoolean,
  statusChangeNotification: looseBoolean,
  dataUsageNotification: looseBoolean,
  warningNotification: looseBoolean,
  /** Terminal ids. */
  selectedTerminalList: selectedTerminals,
  terminalList: z.array(z.object({ id: z.string(), nickname: z.string(), customname: z.nullable(z.string()) })),
  /** Whether the user has consented to texts, and whether the number has sent STOP since. */
  smsConsent: z.enum(['none', 'given', 'stopped']),
  mailDigest: z.enum(mailDigests),
  ...QuietHours.shape,
})
export type Profile = z.output<typeof Profile>

/** One call per checkbox. Returns the current value. */
// @__NO_SIDE_EFFECTS__
function setting<const Name extends string>(path: `/${string}`, name: Name, summary: string) {
  return route({
    method: 'POST',
    path,
    access: 'user',
    summary,
    input: z.strictObject({ [name]: flag } as Record<Name, typeof flag>),
    output: z.object({ [name]: looseBoolean } as Record<Name, typeof looseBoolean>),
  })
}

export const profile = {
  get: route({
    method: 'GET',
    path: '/user-profile/',
    access: 'user',
    summary: 'The caller’s profile and notification settings',
    input: NoInput,
    output: Profile,
  }),
  edit: route({
    method: 'POST',
    path: '/edit-profile/',
    access: 'user',
    summary: 'Change the caller’s name and company',
    input: z.strictObject({ customerName: requiredLine(200), company: requiredLine(200) }),
    output: Done,
  }),
  resetPassword: route({
    method: 'POST',
    path: '/reset-password/',
    access: 'user',
    isAllowedBeforePasswordChange: true,
    summary: 'Change the caller’s password and end their other sessions',
    input: z.strictObject({ currentPassword: Password, newPassword: NewPassword }),
    output: Done,
  }),
  auditMail: route({
    method: 'POST',
    path: '/audit-mail/',
    access: 'admin',
    summary: 'Whether the caller gets the daily mail about the editing log; at least one administrator does',
    input: z.strictObject({ auditMail: flag }),
    output: z.object({ auditMail: looseBoolean }),
  }),
  checkOtp: setting('/check-otp/', 'checkOtp', 'Always ask for a mailed code at sign-in'),
  enableNotification: setting('/enable-notification/', 'enableNotification', 'Notify by email'),
  enableSms: setting('/enable-sms/', 'enableSmsNotification', 'Notify by SMS; needs the caller’s consent'),
  consentToSms: route({
    method: 'GET',
    path: '/enable-sms/',
    access: 'user',
    writes: true,
    summary: 'Record the caller’s consent to SMS messaging and switch it on',
    input: NoInput,
    output: z.object({ enableSmsNotification: looseBoolean }),
  }),
  statusChange: setting('/status-change-notification/', 'statusChangeNotification', 'Notify of status changes'),
  dataUsage: setting('/data-usage-notification/', 'dataUsageNotification', 'Notify of data usage'),
  warnings: setting('/warning-notification/', 'warningNotification', 'Notify of early warnings'),
  changePhone: route({
    method: 'POST',
    path: '/change-phone-number/',
    access: 'user',
    summary: 'The number that SMS notifications go to',
    input: z.strictObject({ phoneNumber: PhoneNumber }),
    output: z.object({ phoneNumber: PhoneNumber }),
  }),
  sendPhoneCode: route({
    method: 'POST',
    path: '/send-phone-code/',
    access: 'user',
    summary: 'Text a code to the caller’s number, to verify it',
    input: NoInput,
    output: Done,
  }),
  verifyPhone: route({
    method: 'POST',
    path: '/verify-phone-number/',
    access: 'user',
    summary: 'Verify the caller’s number by the code; before that, nothing else is sent to it',
    input: z.strictObject({ code: Otp }),
    output: z.object({ phoneVerified: looseBoolean }),
  }),
  selectTerminals: route({
    method: 'POST',
    path: '/change_selected_terminals/',
    access: 'user',
    summary: 'The terminals that notifications are about',
    maxBodyBytes: 1024 * 1024,
    input: z.strictObject({ selectedTerminalList: selectedTerminals }),
    output: z.object({ selectedTerminalList: selectedTerminals }),
  }),
  setMailDigest: route({
    method: 'POST',
    path: '/mail-digest/',
    access: 'user',
    summary: 'Whether notifications by email are sent one by one, every hour or every morning',
    input: z.strictObject({ mailDigest: choice(mailDigests) }),
    output: z.object({ mailDigest: z.enum(mailDigests) }),
  }),
  setListOrder: route({
    method: 'POST',
    path: '/list-order/',
    access: 'user',
    summary: 'In which order the dashboard lists terminals for the caller',
    input: z.strictObject({ listOrder: choice(listOrders) }),
    output: z.object({ listOrder: z.enum(listOrders) }),
  }),
  setQuietHours: route({
    method: 'POST',
    path: '/quiet-hours/',
    access: 'user',
    summary: 'When no text is sent, and how many are sent in a day at most',
    input: QuietHours,
    output: QuietHours,
  }),
}
