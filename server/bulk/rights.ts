import { sql } from 'kysely'
import type pg from 'pg'
import type { BulkKind } from '#contract/bulk.ts'
import { ApiError } from '#contract/errors.ts'
import type { Role } from '#contract/identity.ts'
import type { Scope } from '#contract/scopes.ts'
import { effectivePermissions } from '../access/effective.ts'
import { lockSender } from '../identity/read-session.ts'
import type { Permissions } from '../platform/context.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { setToken } from '../platform/database/transaction-token.ts'
import { visibleGroup } from '../platform/scope.ts'
import { requirePermission } from './kinds.ts'

interface Rights {
  email: string
  role: Role
  group: string
  permissions: Permissions
}

/** A user's permissions, locked until the transaction ends. */
const findRights = async (db: Db, tenantId: string, userId: number): Promise<Rights | undefined> => {
  await lockSender(db, tenantId, userId)
  const { rows } = await sql<{ email: string; role: Role; group: string }>`
    select email, role, group_name as "group" from users
    where tenant_id = ${tenantId} and id = ${userId} and (not must_change_password or exists (
      select from sessions where sessions.tenant_id = users.tenant_id and sessions.user_id = users.id
        and sessions.is_single_sign_on and sessions.ended_at is null))`.execute(db)
  const [user] = rows
  if (!user) return undefined
  const grants = await db
    .selectFrom('feature_grants')
    .select(['item', 'value'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
  const set = Object.fromEntries(grants.map(({ item, value }) => [item, value]))
  return { ...user, permissions: effectivePermissions(user.role, set) }
}

const SCOPE: Scope = 'bulk:write'

/** A valid token, locked against revocation until the transaction ends. The caller has locked its user. */
const findToken = async (
  db: Db,
  tenantId: string,
  { userId, tokenId }: Pick<Sender, 'userId' | 'tokenId'>,
  now: Date,
) => {
  const { rows } = await sql<{ name: string }>`
    select name from api_tokens
    where tenant_id = ${tenantId} and id = ${tokenId} and user_id = ${userId}
      and revoked_at is null and expires_at > ${now} and ${SCOPE} = any(scopes)
    for share`.execute(db)
  return rows[0]
}

/** The user lost the permission, or was deleted. */
export class RightsEnded extends Error {}

interface Sender {
  tenantId: string
  userId: number
  /** The API token that started it. */
  tokenId: string | null
  /** The group whose lines the user could see at the start; null for administrators. */
  group: string | null
  kind: BulkKind
}

/**
 * Transactions on behalf of a user whose request has ended: each rereads and locks the user's permissions, as a request
 * would, and fails if they were revoked.
 */
export type RightsTransaction = ReturnType<typeof createRightsTransaction>

export const createRightsTransaction =
  (database: Database, { tenantId, userId, tokenId, group, kind }: Sender, now: () => Date) =>
  async <T>(work: (db: Db, client: pg.PoolClient, rights: Rights) => Promise<T>): Promise<T> => {
    return database.transaction({ tenantId, group: group ?? undefined }, async (db, client) => {
      const rights = await findRights(db, tenantId, userId)
      if (!rights || (visibleGroup(rights) ?? null) !== group) throw new RightsEnded()
      if (tokenId !== null) {
        const token = await findToken(db, tenantId, { userId, tokenId }, now())
        if (!token) throw new RightsEnded()
        setToken(db, token)
      }
      try {
        requirePermission(kind, rights.permissions)
      } catch (error) {
        if (error instanceof ApiError) throw new RightsEnded()
        throw error
      }
      return work(db, client, rights)
    })
  }
