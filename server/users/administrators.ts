import { conflict } from '#contract/errors.ts'
import type { Db } from '../platform/database/database.ts'

/**
 * The administrators, held until the transaction is over: two who demote each other at the same moment take turns. Before
 * any other row of users is locked, so that nobody waits for somebody who waits for them.
 */
export const lockAdministrators = async (db: Db, tenantId: string) => {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('role', '=', 'admin')
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const LAST_ADMINISTRATOR = 'The last administrator cannot be deleted or demoted.'

export const requireOtherAdministrator = (administrators: Set<number>, leavingId: number) => {
  if (administrators.has(leavingId) && administrators.size === 1) throw conflict(LAST_ADMINISTRATOR)
}
