import type { Db } from './database.ts'

/** The time zone in which times are shown to a tenant's users. */
export const getTimeZone = async (db: Db, tenantId: string) => {
  const row = await db
    .selectFrom('tenant_settings')
    .select('time_zone')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.time_zone ?? 'UTC'
}
