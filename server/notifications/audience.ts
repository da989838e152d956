import { sql } from 'kysely'
import type { Role } from '#contract/identity.ts'
import type { Db } from '../platform/database/database.ts'
import { visibleGroup } from '../platform/scope.ts'
import type { Rules } from './plan.ts'

export type Channel = 'email' | 'sms'

/** What of a person's settings decides what they are sent. */
export interface Preferences {
  by_email: boolean
  by_sms: boolean
  status_changes: boolean
  data_usage: boolean
  selected_line_ids: readonly number[]
  quiet_from_minute: number
  quiet_until_minute: number
  time_zone: string
  sms_daily_limit: number
}

export const buildRules = (
  wishes: Preferences,
  channel: Channel,
  visibleLineIds: readonly number[],
  settlingMinutes: number,
): Rules => ({
  statusChanges: wishes.status_changes,
  dataUsage: wishes.data_usage,
  lineIds: new Set(visibleLineIds),
  settlingMs: settlingMinutes * 60_000,
  quiet:
    channel === 'sms'
      ? { fromMinute: wishes.quiet_from_minute, untilMinute: wishes.quiet_until_minute, timeZone: wishes.time_zone }
      : undefined,
  dailyLimit: channel === 'sms' ? wishes.sms_daily_limit : undefined,
})

interface Viewer {
  role: string
  group_name: string
}

/** Those of some lines that a person may see now. */
export const listVisibleLines = async (
  db: Db,
  tenantId: string,
  { role, group_name }: Viewer,
  lineIds: readonly number[],
) => {
  if (lineIds.length === 0) return []
  const group = visibleGroup({ role: role as Role, group: group_name })
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
  'wish.by_email',
  'wish.by_sms',
  'wish.phone_number',
  'wish.status_changes',
  'wish.data_usage',
  'wish.selected_line_ids',
  'wish.quiet_from_minute',
  'wish.quiet_until_minute',
  'wish.time_zone',
  'wish.sms_daily_limit',
] as const

const users = (db: Db, tenantId: string) =>
  db
    .selectFrom('notification_settings as wish')
    .innerJoin('users as user', (join) =>
      join.onRef('user.tenant_id', '=', 'wish.tenant_id').onRef('user.id', '=', 'wish.user_id'),
    )
    .leftJoin('sms_stops as stop', (join) =>
      join.onRef('stop.tenant_id', '=', 'wish.tenant_id').onRef('stop.phone_number', '=', 'wish.phone_number'),
    )
    .select(recipientColumns)
    .select('stop.stopped_at')
    .where('wish.tenant_id', '=', tenantId)

export const findRecipient = async (db: Db, tenantId: string, userId: number) => {
  const row = await users(db, tenantId).where('user.id', '=', userId).executeTakeFirst()
  // bigint[] comes as text.
  return row && { ...row, selected_line_ids: row.selected_line_ids.map(Number) }
}

export type Recipient = NonNullable<Awaited<ReturnType<typeof findRecipient>>>

/** Where a person is reached by a channel; null when they do not want it, or may not be. */
export const findAddress = (user: Recipient, channel: Channel): string | null => {
  if (channel === 'email') return user.by_email ? user.email : null
  return user.by_sms && user.stopped_at === null ? user.phone_number : null
}

/** Users who are to be notified, and those whose state is left from when they were. */
export const listSubscribers = async (db: Db, tenantId: string) =>
  users(db, tenantId)
    .clearSelect()
    .select('user.id')
    .where((or) =>
      or.or([
        or('wish.by_email', '=', true),
        or('wish.by_sms', '=', true),
        sql<boolean>`exists (select from notification_states as known
          where known.tenant_id = wish.tenant_id and known.user_id = wish.user_id)`,
      ]),
    )
    .orderBy('user.id')
    .execute()
