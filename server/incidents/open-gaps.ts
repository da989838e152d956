import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** Since when no data of an account has reached us, by credential; only of accounts whose data is late. */
export const listOpenGaps = async (db: Db, tenantId: string): Promise<Map<number, Date>> => {
  const { rows } = await sql<{ credential_id: number; started_at: Date }>`
    select (evidence -> 'credentialId')::bigint as credential_id, started_at from incidents
    where tenant_id = ${tenantId} and cause = 'not observed' and ended_at is null`.execute(db)
  return new Map(rows.map((row) => [row.credential_id, row.started_at]))
}
