import type { Db } from './database.ts'

/** The zone in which times are written for the users of a tenant. */
export const getTimeZone = async (db: Db, tenantId: string) => {
  const row = await db
    .selectFrom('tenant_settings')
    .select('time_zone')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.time_zone ?? 'UTC'
}
