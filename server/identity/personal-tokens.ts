import { formatSome } from '#contract/format/lists.ts'
import { recordAudit } from '../audit/record.ts'
import type { Db } from '../platform/database/database.ts'
import { type RequestOrigin, recordSecurityEvent } from '../security-events/record.ts'

const MAX_NAMED = 10

/** The names of a user's API tokens that work, newest first. */
export const listWorkingTokens = async (db: Db, tenantId: string, userId: number, now: Date) => {
  const rows = await db
    .selectFrom('api_tokens')
    .select('name')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}

export const nameTokens = (names: readonly string[]) => formatSome(names, MAX_NAMED)

export interface RevokedBy {
  performer: string
  now: Date
  /** Absent when a CLI command does it. */
  origin?: RequestOrigin | undefined
}

/** Records in the editing log and in the security events that a token of this user was revoked. */
export const recordRevocation = async (
  db: Db,
  tenantId: string,
  { performer, now, origin }: RevokedBy,
  { userId, email }: { userId: number; email: string },
  { name, hint }: { name: string; hint: string },
) => {
  await recordAudit(db, tenantId, now, {
    performer,
    action: 'token.revoke',
    performee: email,
    details: { before: { token: name, hint } },
  })
  await recordSecurityEvent(db, tenantId, now, {
    kind: 'token_revoked',
    account: email,
    userId,
    actor: performer,
    origin,
    details: { token: name },
  })
}

/** Revokes every API token of a user, in a transaction that has locked the user. Returns the names of those that worked. */
export const revokeTokens = async (
  db: Db,
  tenantId: string,
  by: RevokedBy,
  user: { userId: number; email: string },
) => {
  const working = await listWorkingTokens(db, tenantId, user.userId, by.now)
  const revoked = await db
    .updateTable('api_tokens')
    .set({ revoked_at: by.now })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', user.userId)
    .where('revoked_at', 'is', null)
    .returning(['name', 'hint'])
    .execute()
  for (const token of revoked) await recordRevocation(db, tenantId, by, user, token)
  return working
}
