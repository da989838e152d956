import { sql } from 'kysely'
import type { Database, Db } from '../platform/database/database.ts'

/** Whether a user has signed in from a network before. It takes as long if there is no such user. */
export const isKnownToUser = async (db: Db, tenantId: string, network: string, userId: number | undefined) => {
  const { rows } = await sql`
    select from sessions where tenant_id = ${tenantId} and network = ${network} and user_id = ${userId ?? 0} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Whether anybody of the tenant has signed in from a network before. */
export const isKnownToTenant = async (database: Database, tenantId: string, network: string) => {
  const rows = await database.readInOneRoundTrip(
    { tenantId },
    'known-network',
    sql<{
      found: number
    }>`select 1 as found from sessions where tenant_id = ${tenantId} and network = ${network} limit 1`,
  )
  return rows.length > 0
}
