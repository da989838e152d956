import type { Db } from '../platform/database/database.ts'

/** Where the tenant's pages are, for links in messages. A name of this machine alone is of no use to a reader. */
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
