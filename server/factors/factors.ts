import { sql } from 'kysely'
import type { Factor } from '#contract/identity.ts'
import type { Db } from '../platform/database/database.ts'
import { findSite } from './passkey-challenges.ts'
import { listPasskeys } from './passkeys.ts'
import { countRecoveryCodes, deleteRecoveryCodes } from './recovery-codes.ts'

/** Its name in logs and mails. */
export const APP = 'authenticator app'

/** The authenticator app of a user, if it is confirmed. */
export const findTotp = (db: Db, tenantId: string, userId: number) =>
  db
    .selectFrom('totp_secrets')
    .select(['confirmed_at', 'last_used_at'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()

/** The second factors available to a user, strongest first. If there are none, the password suffices. */
export const listSignInFactors = async (
  db: Db,
  tenantId: string,
  user: { id: number; check_otp: boolean; has_second_factor: boolean },
  requestOrigin: string,
): Promise<Factor[]> => {
  const mailed: Factor[] = user.check_otp ? ['email'] : []
  if (!user.has_second_factor) return mailed
  const { host } = findSite(requestOrigin)
  const hasPasskey = (await listPasskeys(db, tenantId, user.id)).some((passkey) => passkey.host === host)
  const hasTotp = (await findTotp(db, tenantId, user.id)) !== undefined
  const hasRecoveryCodes = (await countRecoveryCodes(db, tenantId, user.id)) > 0
  return [
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(hasTotp ? (['totp'] as const) : []),
    ...mailed,
    ...(hasRecoveryCodes ? (['recovery'] as const) : []),
  ]
}

/**
 * Updates whether a user has a factor after one was added or removed. Call in a transaction that has locked the user.
 * Recovery codes replace a factor, so they are deleted with the last one.
 */
export const updateHasFactor = async (db: Db, tenantId: string, userId: number) => {
  const { rows } = await sql<{ has_second_factor: boolean }>`
    update users set has_second_factor = exists (
      select from totp_secrets where tenant_id = ${tenantId} and user_id = ${userId} and confirmed_at is not null
      union all select from passkeys where tenant_id = ${tenantId} and user_id = ${userId})
    where tenant_id = ${tenantId} and id = ${userId} returning has_second_factor`.execute(db)
  if (!rows[0]?.has_second_factor) await deleteRecoveryCodes(db, tenantId, userId)
}

/** Removes all factors of a user and returns their names. Call in a transaction that has locked the user. */
export const deleteFactors = async (db: Db, tenantId: string, userId: number) => {
  const removed = await db
    .deleteFrom('passkeys')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .returning('name')
    .execute()
  const hadTotp = await deleteTotp(db, tenantId, userId)
  return [...(hadTotp ? [APP] : []), ...removed.map(({ name }) => `passkey ${name}`)]
}

/** Removes the authenticator app of a user, confirmed or not. Returns whether a confirmed one was removed. */
export const deleteTotp = async (db: Db, tenantId: string, userId: number) => {
  const deleted = await db
    .deleteFrom('totp_secrets')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst()
  await updateHasFactor(db, tenantId, userId)
  return (deleted?.confirmed_at ?? null) !== null
}
