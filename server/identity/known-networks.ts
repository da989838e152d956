import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** Whether a user has signed in from a network before, and whether anybody of the tenant has. */
export const findKnownNetwork = async (db: Db, tenantId: string, network: string, userId: number | undefined) => {
  const { rows } = await sql<{ of_user: boolean; of_tenant: boolean }>`
    select
      exists (select from sessions where tenant_id = ${tenantId} and network = ${network} and user_id = ${userId ?? 0})
        as of_user,
      exists (select from sessions where tenant_id = ${tenantId} and network = ${network}) as of_tenant`.execute(db)
  return { isKnownToUser: rows[0]?.of_user === true, isKnownToTenant: rows[0]?.of_tenant === true }
}
