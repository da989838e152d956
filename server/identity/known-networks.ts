import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** Whether a user has signed in from a network before. It takes as long if there is no such user. */
export const isKnownToUser = async (db: Db, tenantId: string, network: string, userId: number | undefined) => {
  const { rows } = await sql`
    select from sessions where tenant_id = ${tenantId} and network = ${network} and user_id = ${userId ?? 0} limit 1`.execute(
    db,
  )
  return rows.length > 0
}
