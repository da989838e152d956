import { randomInt } from 'node:crypto'
import type { Db } from '../platform/database/database.ts'
import { sha256 } from '../platform/secrets.ts'

const COUNT = 10
// Without ambiguous letters and digits. 16 of them are 79 bits.
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 4

const createCode = () =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  ).join('-')

/** Accepts a code as shown, in capitals, or with other or no separators. */
const hashCode = (tenantId: string, userId: number, code: string) =>
  sha256(`recovery:${tenantId}:${userId}:${code.toLowerCase().replace(/[^a-z\d]/g, '')}`)

/** Replaces all codes of a user. The new ones are returned only here. */
export const replaceRecoveryCodes = async (db: Db, tenantId: string, userId: number, now: Date) => {
  const codes = Array.from({ length: COUNT }, createCode)
  await deleteRecoveryCodes(db, tenantId, userId)
  await db
    .insertInto('recovery_codes')
    .values(
      codes.map((code) => ({
        tenant_id: tenantId,
        user_id: userId,
        code_hash: hashCode(tenantId, userId, code),
        created_at: now,
      })),
    )
    .execute()
  return codes
}

export const deleteRecoveryCodes = (db: Db, tenantId: string, userId: number) =>
  db.deleteFrom('recovery_codes').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()

export const countRecoveryCodes = async (db: Db, tenantId: string, userId: number) => {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(left)
}

/**
 * Consumes a recovery code. Returns whether it was valid and unused; of two concurrent requests, one gets true.
 */
export const spendRecoveryCode = async (db: Db, tenantId: string, userId: number, code: string, now: Date) => {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashCode(tenantId, userId, code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
