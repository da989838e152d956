import { sql } from 'kysely'
import type { ApiToken } from '#contract/api-tokens.ts'
import type { Role } from '#contract/identity.ts'
import type { Db } from '../platform/database/database.ts'

const MAX_SHOWN = 1_000

interface Chosen {
  userId?: number
  tokenId?: string
}

/** Tokens that were not revoked, including expired ones, newest first. */
export const listTokens = async (db: Db, tenantId: string, { userId, tokenId }: Chosen = {}): Promise<ApiToken[]> => {
  const rows = await db
    .selectFrom('api_tokens as token')
    .innerJoin('users as user', (join) =>
      join.onRef('user.tenant_id', '=', 'token.tenant_id').onRef('user.id', '=', 'token.user_id'),
    )
    .innerJoin('api_token_uses as use', (join) =>
      join.onRef('use.tenant_id', '=', 'token.tenant_id').onRef('use.token_id', '=', 'token.id'),
    )
    .select(['token.id', 'token.name', 'token.hint', 'token.scopes', 'token.networks', 'token.created_at'])
    .select(['token.created_by', 'token.expires_at', 'user.role', 'user.group_name', 'use.last_used_at'])
    .select('use.last_address')
    .select(sql<string>`case when "user".is_service then '' else "user".email end`.as('owner'))
    .where('token.tenant_id', '=', tenantId)
    .where('token.revoked_at', 'is', null)
    .$if(userId !== undefined, (query) => query.where('token.user_id', '=', userId as number))
    .$if(tokenId !== undefined, (query) => query.where('token.id', '=', tokenId as string))
    .orderBy('token.created_at', 'desc')
    .orderBy('token.id')
    .limit(MAX_SHOWN)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    owner: row.owner,
    role: row.role as Role,
    group: row.group_name,
    hint: row.hint,
    scopes: row.scopes,
    networks: row.networks,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    lastAddress: row.last_address,
  }))
}
