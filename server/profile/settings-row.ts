import type { Selectable, Updateable } from 'kysely'
import { formatCount } from '#contract/format/numbers.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { DB, JsonObject } from '../platform/database/schema.ts'
import { enqueue } from '../platform/worker/enqueue.ts'

export type SettingsRow = Omit<Selectable<DB['notification_settings']>, 'tenant_id' | 'user_id'>

/** The settings of a user who never changed any; the table has the same defaults. */
const DEFAULT_SETTINGS: SettingsRow = {
  by_email: false,
  by_sms: false,
  phone_number: null,
  phone_verified_at: null,
  status_changes: false,
  data_usage: false,
  warnings: false,
  selected_line_ids: [],
  quiet_from_minute: 22 * 60,
  quiet_until_minute: 7 * 60,
  time_zone: null,
  sms_daily_limit: 10,
  digest: 'at once',
}

export const findSettings = async (db: Db, tenantId: string, userId: number): Promise<SettingsRow> =>
  (await db
    .selectFrom('notification_settings')
    .select(Object.keys(DEFAULT_SETTINGS) as (keyof SettingsRow)[])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()) ?? DEFAULT_SETTINGS

type Change = Omit<Updateable<DB['notification_settings']>, 'tenant_id' | 'user_id'>

/** Writes without an audit entry, for callers that record their own. */
export const writeSettings = async (db: Db, { tenantId, user }: Context, change: Change) => {
  await db
    .insertInto('notification_settings')
    .values({ tenant_id: tenantId, user_id: user.userId, ...change })
    .onConflict((clash) => clash.columns(['tenant_id', 'user_id']).doUpdateSet(change))
    .execute()
  // Notifications start or stop with the events from now on.
  await enqueue(db, 'notifications', tenantId)
}

/**
 * The value for the audit log: administrators read it, so it contains neither a whole phone number nor a long list.
 */
const maskValue = (value: unknown) => {
  if (Array.isArray(value)) return `${formatCount(value.length)} chosen`
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' && /^\+\d+$/.test(value) ? `…${value.slice(-4)}` : value
}

/** Changes notification settings. Unchanged values are not recorded. */
export const changeSettings = async (db: Db, ctx: Context, change: Change) => {
  const before = await findSettings(db, ctx.tenantId, ctx.user.userId)
  const after = { ...before, ...change }
  const names = (Object.keys(change) as (keyof SettingsRow)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  if (names.length === 0) return
  await writeSettings(db, ctx, change)
  const pick = (row: object) =>
    Object.fromEntries(names.map((name) => [name, maskValue((row as Record<string, unknown>)[name])])) as JsonObject
  await recordAudit(db, ctx.tenantId, ctx.services.now(), {
    performer: ctx.user.email,
    action: 'profile.notifications',
    performee: ctx.user.email,
    details: { before: pick(before), after: pick(after) },
  })
}
