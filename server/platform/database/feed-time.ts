import type { Db } from './database.ts'

/** The time of the tenant's newest telemetry. It is by the vendor's clocks, and so shows when those of our machines are behind. */
export const findFeedAt = async (db: Db, tenantId: string): Promise<Date | null> => {
  const row = await db
    .selectFrom('vendor_feeds')
    .select((eb) => eb.fn.max('newest_sample_at').as('at'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.at ?? null
}
