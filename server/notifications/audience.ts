import { sql } from 'kysely'
import type { Role } from '#contract/identity.ts'
import type { PlannedTimes } from '../maintenance/planned-times.ts'
import type { Db } from '../platform/database/database.ts'
import { getVisibleGroup } from '../platform/scope.ts'
import type { Rules } from './plan.ts'

export type Channel = 'email' | 'sms'

/** The user settings that decide which notifications they receive. */
export interface Preferences {
  by_email: boolean
  by_sms: boolean
  status_changes: boolean
  data_usage: boolean
  warnings: boolean
  selected_line_ids: readonly number[]
  quiet_from_minute: number
  quiet_until_minute: number
  time_zone: string
  sms_daily_limit: number
}

export const buildRules = (
  preferences: Preferences,
  channel: Channel,
  visibleLineIds: readonly number[],
  settlingMinutes: number,
  planned: PlannedTimes,
): Rules => ({
  statusChanges: preferences.status_changes,
  dataUsage: preferences.data_usage,
  warnings: preferences.warnings,
  lineIds: new Set(visibleLineIds),
  settlingMs: settlingMinutes * 60_000,
  quiet:
    channel === 'sms'
      ? {
          fromMinute: preferences.quiet_from_minute,
          untilMinute: preferences.quiet_until_minute,
          timeZone: preferences.time_zone,
        }
      : undefined,
  dailyLimit: channel === 'sms' ? preferences.sms_daily_limit : undefined,
  findMaintenanceEnd: (terminalId, atMs) => planned.findWindow(terminalId, atMs)?.endMs ?? null,
})

interface Viewer {
  role: string
  group_name: string
}

/** The given lines that a user may currently see. */
export const listVisibleLines = async (
  db: Db,
  tenantId: string,
  { role, group_name }: Viewer,
  lineIds: readonly number[],
) => {
  if (lineIds.length === 0) return []
  const group = getVisibleGroup({ role: role as Role, group: group_name })
  return db
    .selectFrom('service_lines')
    .select(['id', 'nickname', 'custom_name', 'city', 'state'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${lineIds}::bigint[])`)
    .where('removed_at', 'is', null)
    .$if(group !== undefined, (query) => query.where('group_name', '=', group as string))
    .execute()
}

export type VisibleLine = Awaited<ReturnType<typeof listVisibleLines>>[number]

const recipientColumns = [
  'user.id',
  'user.email',
  'user.role',
  'user.group_name',
  'setting.by_email',
  'setting.by_sms',
  'setting.phone_number',
  'setting.phone_verified_at',
  'setting.status_changes',
  'setting.data_usage',
  'setting.warnings',
  'setting.selected_line_ids',
  'setting.quiet_from_minute',
  'setting.quiet_until_minute',
  'setting.sms_daily_limit',
  'setting.digest',
] as const

const selectUsers = (db: Db, tenantId: string) =>
  db
    .selectFrom('notification_settings as setting')
    .innerJoin('users as user', (join) =>
      join.onRef('user.tenant_id', '=', 'setting.tenant_id').onRef('user.id', '=', 'setting.user_id'),
    )
    .leftJoin('sms_stops as stop', (join) =>
      join.onRef('stop.tenant_id', '=', 'setting.tenant_id').onRef('stop.phone_number', '=', 'setting.phone_number'),
    )
    .leftJoin('tenant_settings as tenant', 'tenant.tenant_id', 'setting.tenant_id')
    .select(recipientColumns)
    .select(sql<string>`coalesce(setting.time_zone, tenant.time_zone, 'UTC')`.as('time_zone'))
    .select(sql<string>`coalesce(tenant.time_zone, 'UTC')`.as('tenant_zone'))
    .select('stop.stopped_at')
    .where('setting.tenant_id', '=', tenantId)

export const findRecipient = async (db: Db, tenantId: string, userId: number) => {
  const row = await selectUsers(db, tenantId).where('user.id', '=', userId).executeTakeFirst()
  // The driver returns bigint[] as text.
  return row && { ...row, selected_line_ids: row.selected_line_ids.map(Number) }
}

export type Recipient = NonNullable<Awaited<ReturnType<typeof findRecipient>>>

/** The user's address on a channel; null if they turned it off, replied STOP or did not verify the number. */
export const findAddress = (user: Recipient, channel: Channel): string | null => {
  if (channel === 'email') return user.by_email ? user.email : null
  const isReachable = user.by_sms && user.stopped_at === null && user.phone_verified_at !== null
  return isReachable ? user.phone_number : null
}

/** Users with notifications turned on, and users with leftover state from when they had. */
export const listSubscribers = async (db: Db, tenantId: string) =>
  selectUsers(db, tenantId)
    .clearSelect()
    .select('user.id')
    .where((or) =>
      or.or([
        or('setting.by_email', '=', true),
        or('setting.by_sms', '=', true),
        sql<boolean>`exists (select from notification_states as known
          where known.tenant_id = setting.tenant_id and known.user_id = setting.user_id)`,
      ]),
    )
    .orderBy('user.id')
    .execute()
