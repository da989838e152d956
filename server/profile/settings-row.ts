import type { Selectable, Updateable } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../db.ts'
import type { DB } from '../schema.ts'

export type SettingsRow = Omit<Selectable<DB['notification_settings']>, 'tenant_id' | 'user_id'>

/** What holds for a person who never chose anything; the table has the same defaults. */
const untouched: SettingsRow = {
  by_email: false,
  by_sms: false,
  phone_number: null,
  status_changes: false,
  data_usage: false,
  selected_line_ids: [],
  quiet_from_minute: 22 * 60,
  quiet_until_minute: 7 * 60,
  time_zone: 'America/Anchorage',
  sms_daily_limit: 10,
}

export const findSettings = async (db: Db, tenantId: string, userId: number): Promise<SettingsRow> =>
  (await db
    .selectFrom('notification_settings')
    .select(Object.keys(untouched) as (keyof SettingsRow)[])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()) ?? untouched

type Change = Omit<Updateable<DB['notification_settings']>, 'tenant_id' | 'user_id'>

export const changeSettings = async (db: Db, { tenantId, person }: Context, change: Change) => {
  await db
    .insertInto('notification_settings')
    .values({ tenant_id: tenantId, user_id: person.userId, ...change })
    .onConflict((clash) => clash.columns(['tenant_id', 'user_id']).doUpdateSet(change))
    .execute()
}
