import type pg from 'pg'
import { scopeCodes } from '#contract/scopes.ts'
import { createApiToken } from '../identity/api-token-secret.ts'

interface Given {
  userId: number
  scopes?: readonly string[]
  /** A PostgreSQL interval; '-1 day' for an expired token. */
  expiresIn?: string
  isRevoked?: boolean
}

/** An API token of a user, without any record of its creation. */
export const addApiToken = async (
  superuser: Pick<pg.Client, 'query'>,
  tenantId: string,
  { userId, scopes = scopeCodes, expiresIn = '1 day', isRevoked = false }: Given,
) => {
  const { token, hash, hint } = createApiToken(tenantId)
  const { rows } = await superuser.query<{ id: string }>(
    `with token as (
       insert into api_tokens (tenant_id, user_id, name, secret_hash, hint, scopes, networks, created_at, created_by,
         expires_at, revoked_at)
       values ($1, $2, 'Script', $3, $4, $5, '{}', now(), '', now() + $6::interval, case when $7 then now() end)
       returning tenant_id, id, user_id
     )
     insert into api_token_uses (tenant_id, token_id, user_id) select tenant_id, id, user_id from token
     returning token_id as id`,
    [tenantId, userId, hash, hint, scopes, expiresIn, isRevoked],
  )
  return { id: rows[0]?.id as string, token }
}
