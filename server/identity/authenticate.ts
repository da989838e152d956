import { type RawBuilder, sql } from 'kysely'
import { unauthorized } from '#contract/errors.ts'
import type { Services, Session } from '../platform/context.ts'
import type { TenantAddress } from '../platform/http/tenant-address.ts'
import { mustAddFactor } from '../platform/must-add-factor.ts'
import type { RequestOrigin } from '../security-events/record.ts'
import { type DirectoryEntry, pickTenant, resolveTenant, selectDirectoryEntry } from '../tenants/resolve.ts'
import { TOKEN_PREFIX } from './api-token-secret.ts'
import { authenticateToken } from './authenticate-token.ts'
import { type RightsRow, toSession } from './read-session.ts'
import { type AccessClaims, readAccessToken } from './tokens.ts'

const bearer = (authorization: string | undefined) => /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]

/** Without a user if the session has ended. */
interface SenderRow extends DirectoryEntry, RightsRow {
  user_id: number | null
}

const buildSenderQuery = (address: TenantAddress, claims: AccessClaims, now: Date): RawBuilder<SenderRow> => sql`
  select directory.*, users.id as user_id, users.email, users.role, users.group_name, users.customer_name,
    users.must_change_password and not sessions.is_single_sign_on as must_change_password,
    (${mustAddFactor()}) and not sessions.is_single_sign_on as must_add_factor, feature_grants.item, feature_grants.value
  from (${selectDirectoryEntry(address)}) as directory
  left join sessions on sessions.tenant_id = ${claims.tenantId} and sessions.id = ${claims.sessionId}
    and sessions.user_id = ${claims.userId} and sessions.ended_at is null and sessions.expires_at > ${now}
  left join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
  left join feature_grants on feature_grants.tenant_id = users.tenant_id and feature_grants.user_id = users.id`

/**
 * The session that sent the request; a token of another tenant is refused like a forged one. It is read for each request,
 * so that ending a session or changing permissions takes effect immediately in every process.
 */
export const authenticate = async (
  services: Services,
  address: TenantAddress,
  authorization: string | undefined,
  origin: RequestOrigin,
): Promise<Session | undefined> => {
  const { database, secrets, now } = services
  const token = bearer(authorization)
  if (token?.startsWith(TOKEN_PREFIX)) return authenticateToken(services, address, token, origin)
  const claims = token && (await readAccessToken(secrets.tokenKeys, token, now()))
  if (!claims) {
    await resolveTenant(database, address)
    return undefined
  }
  const { tenantId } = claims
  const rows = await database.readInOneRoundTrip({ tenantId }, 'sender', buildSenderQuery(address, claims, now()))
  const first = rows[0] as SenderRow
  // A signed-in user needs no X-Tenant: the token names the tenant. If both are known they must agree.
  if ((pickTenant(first, address) ?? tenantId) !== tenantId) throw unauthorized()
  return first.user_id === null ? undefined : toSession(tenantId, { ...claims, token: undefined }, rows)
}
