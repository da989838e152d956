import type { Units } from '#contract/units.ts'
import type { Db } from './database.ts'

/** The units in which distances are shown to a tenant's users. */
export const getUnits = async (db: Db, tenantId: string): Promise<Units> => {
  const row = await db
    .selectFrom('tenant_settings')
    .select('units')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return (row?.units as Units | undefined) ?? 'metric'
}
