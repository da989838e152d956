import { formatList } from './format/lists.ts'
import type { TenantSettings } from './tenant-settings.ts'

/** What an entry of the editing log recorded besides the action. */
export type Facts = Record<string, unknown>

const isRecord = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isStructure = (value: unknown) => typeof value === 'object' && value !== null

/** Entries of earlier versions may have other details, so their shape is not trusted. */
export const readRecord = (value: unknown): Facts => (isRecord(value) ? value : {})

export const formatValue = (value: unknown) => {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return value === null || value === undefined || value === '' ? 'nothing' : String(value)
}

const settingNames: Record<keyof TenantSettings, string> = {
  ticketRetentionDays: 'days that tickets are retained',
  messageRetentionDays: 'days that messages are retained',
  securityEventRetentionDays: 'days that security events are retained',
  settlingMinutes: 'minutes that a status has to last',
  addressRadiusKm: 'kilometers from the service address',
  borderKm: 'kilometers from a border',
  roamingDays: 'days in another country',
  timeZone: 'time zone',
  units: 'units',
  secondFactorForAdmins: 'second factor required of administrators',
  secondFactorForUsers: 'second factor required of users',
  publicStatus: 'public status page',
}

/** Columns of a user's notification settings. */
const notificationNames: Record<string, string> = {
  by_email: 'by email',
  by_sms: 'by SMS',
  phone_number: 'phone number',
  phone_verified_at: 'confirmation of the phone number',
  status_changes: 'about status changes',
  data_usage: 'about data usage',
  warnings: 'about early warnings',
  selected_line_ids: 'terminals',
  quiet_from_minute: 'minute of the day at which quiet hours begin',
  quiet_until_minute: 'minute of the day at which quiet hours end',
  time_zone: 'time zone',
  sms_daily_limit: 'texts a day',
  digest: 'mails',
}

const singleSignOnNames: Record<string, string> = {
  clientId: 'client ID',
  clientSecret: 'client secret',
  buttonLabel: 'label of the button',
  isEnabled: 'use',
  isOnly: 'no passwords besides it',
  recheckMinutes: 'minutes between checks',
  graceMinutes: 'minutes without an answer of the provider',
}

const fieldNames: Record<string, string> = {
  ...settingNames,
  ...notificationNames,
  ...singleSignOnNames,
  metadata1: 'metadata 1',
  metadata2: 'metadata 2',
  metadata3: 'metadata 3',
  username: 'group',
  customerName: 'name',
  nextLimitGb: 'limit from the next cycle on',
  limitGb: 'limit',
  behavior: 'behavior at the limit',
}

/** 'role of ada from user to admin' for one field, 'role, group, and company of ada' for several. */
export const describeFields = (facts: Facts, owner: string, skipped: readonly string[] = []) => {
  const [was, is] = [readRecord(facts.before), readRecord(facts.after)]
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => !skipped.includes(name) && JSON.stringify(was[name]) !== JSON.stringify(is[name]),
  )
  const [only] = changed
  if (only === undefined) return undefined
  const names = `${formatList(changed.map((name) => fieldNames[name] ?? name))}${owner && ` of ${owner}`}`
  const isSecret = only === 'password'
  if (changed.length > 1 || isSecret || isStructure(is[only]) || isStructure(was[only])) return names
  return `${names} from ${formatValue(was[only])} to ${formatValue(is[only])}`
}
