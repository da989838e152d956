import { sql } from 'kysely'
import type pg from 'pg'
import type { BulkKind } from '#contract/bulk.ts'
import { ApiError } from '#contract/errors.ts'
import type { Scope } from '#contract/scopes.ts'
import { getEffectivePermissions } from '../access/effective.ts'
import { readSession } from '../identity/read-session.ts'
import type { SenderToken, SignedInUser } from '../platform/context.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { setToken } from '../platform/database/transaction-token.ts'
import { getVisibleGroup } from '../platform/scope.ts'
import { requirePermission } from './kinds.ts'

interface Sender {
  tenantId: string
  userId: number
  /** The session or API token that started it. */
  sessionId: string | null
  tokenId: string | null
  /** The group whose lines the user could see at the start; null for administrators. */
  group: string | null
  kind: BulkKind
}

const SESSION_ENDED = 'The session that it was started in has ended.'
const RIGHTS_ENDED = 'You no longer have the rights that it began with.'

/** Why it stops. The message is for the user. */
export class RightsEnded extends Error {}

const SCOPE: Scope = 'bulk:write'

/** Whether a token is still valid is read with the rights of its user. */
const findToken = async (db: Db, tenantId: string, tokenId: string) => {
  const { rows } = await sql<SenderToken>`
    select id, name, scopes from api_tokens where tenant_id = ${tenantId} and id = ${tokenId} and ${SCOPE} = any(scopes)`.execute(
    db,
  )
  return rows[0]
}

/** The rights of the session or token that started it, as a request would have them, locked until the transaction ends. */
const readRights = async (db: Db, { tenantId, userId, sessionId, tokenId }: Sender, now: Date) => {
  const token = tokenId === null ? undefined : await findToken(db, tenantId, tokenId)
  const sender = { userId, sessionId: sessionId ?? undefined, token }
  const session = await readSession(db, { tenantId, user: sender }, 'share', now)
  if (!session) throw new RightsEnded(tokenId === null ? SESSION_ENDED : RIGHTS_ENDED)
  const { user, grants } = session
  if (user.mustChangePassword || user.mustAddFactor) throw new RightsEnded(RIGHTS_ENDED)
  return { user, token, permissions: getEffectivePermissions(user.role, grants) }
}

/**
 * Transactions on behalf of a user whose request has ended: each rereads and locks the session and permissions, as a
 * request would, and fails if they were revoked.
 */
export type RightsTransaction = ReturnType<typeof createRightsTransaction>

export const createRightsTransaction =
  (database: Database, sender: Sender, now: () => Date) =>
  async <T>(work: (db: Db, client: pg.PoolClient, user: SignedInUser) => Promise<T>): Promise<T> => {
    const { tenantId, group, kind } = sender
    return database.transaction({ tenantId, group: group ?? undefined }, async (db, client) => {
      const { user, token, permissions } = await readRights(db, sender, now())
      if ((getVisibleGroup(user) ?? null) !== group) throw new RightsEnded(RIGHTS_ENDED)
      try {
        requirePermission(kind, permissions)
      } catch (error) {
        if (error instanceof ApiError) throw new RightsEnded(RIGHTS_ENDED)
        throw error
      }
      if (token) setToken(db, token)
      return work(db, client, user)
    })
  }
