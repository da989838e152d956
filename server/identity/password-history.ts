import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** The number of earlier passwords retained besides the current one. */
const RETAINED = 4

/** The hashes that a new password must not match: the current one and the last few. */
export const listRecentHashes = async (db: Db, tenantId: string, userId: number) => {
  const { rows } = await sql<{ password_hash: string }>`
    select password_hash from users where tenant_id = ${tenantId} and id = ${userId}
    union all (
      select password_hash from password_history
      where tenant_id = ${tenantId} and user_id = ${userId} order by id desc limit ${RETAINED})`.execute(db)
  return rows.map(({ password_hash }) => password_hash)
}

/** Adds the current password to the earlier ones, and deletes the oldest. */
export const archivePassword = async (db: Db, tenantId: string, userId: number, now: Date) => {
  await sql`
    insert into password_history (tenant_id, user_id, password_hash, replaced_at)
    select tenant_id, id, password_hash, ${now}::timestamptz from users
    where tenant_id = ${tenantId} and id = ${userId}`.execute(db)
  await sql`
    delete from password_history where tenant_id = ${tenantId} and user_id = ${userId} and id not in (
      select id from password_history where tenant_id = ${tenantId} and user_id = ${userId}
      order by id desc limit ${RETAINED})`.execute(db)
}
