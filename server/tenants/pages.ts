import type { Db } from '../platform/database/database.ts'

/** The URL of the tenant's pages, for links in messages. Localhost is of no use to a recipient. */
export const findPages = async (db: Db, tenantId: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('tenant_hosts')
    .select('host')
    .where('tenant_id', '=', tenantId)
    .where('host', 'not like', '%localhost')
    .orderBy('host')
    .limit(1)
    .executeTakeFirst()
  return row && `https://${row.host}`
}
