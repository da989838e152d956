import { type RawBuilder, sql } from 'kysely'
import { unauthorized } from '#contract/errors.ts'
import type { FeatureItem } from '#contract/features.ts'
import type { Role } from '#contract/identity.ts'
import { effectivePermissions, isGranted } from '../access/effective.ts'
import type { AnonymousContext, Context } from '../platform/context.ts'
import {
  type DirectoryEntry,
  pickTenant,
  resolveTenant,
  selectDirectoryEntry,
  type TenantAddress,
} from '../tenants/resolve.ts'
import { type AccessClaims, readAccessToken } from './tokens.ts'

const bearer = (authorization: string | undefined) => /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]

/** One row for each item that was granted, at least one; without a person when the session has ended. */
interface SenderRow extends DirectoryEntry {
  user_id: number | null
  email: string
  role: Role
  group_name: string
  customer_name: string
  item: string | null
  value: string | null
}

const buildSenderQuery = (addressed: TenantAddress, claims: AccessClaims, now: Date): RawBuilder<SenderRow> => sql`
  select directory.*, users.id as user_id, users.email, users.role, users.group_name, users.customer_name,
    feature_grants.item, feature_grants.value
  from (${selectDirectoryEntry(addressed)}) as directory
  left join sessions on sessions.tenant_id = ${claims.tenantId} and sessions.id = ${claims.sessionId}
    and sessions.user_id = ${claims.userId} and sessions.ended_at is null and sessions.expires_at > ${now}
  left join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
  left join feature_grants on feature_grants.tenant_id = users.tenant_id and feature_grants.user_id = users.id`

/**
 * Who sent the request; a token of another tenant is refused like a forged one. It is read anew for each request, so
 * that an end of a session and a change of rights count at once, in every process.
 */
export const authenticate = async (
  visit: Omit<AnonymousContext, 'tenantId'>,
  addressed: TenantAddress,
  authorization: string | undefined,
): Promise<Context | undefined> => {
  const { database, secrets, now } = visit.services
  const token = bearer(authorization)
  const claims = token && (await readAccessToken(secrets.tokenKey, token, now()))
  if (!claims) {
    await resolveTenant(database.outsideTenants, addressed)
    return undefined
  }
  const { tenantId, sessionId } = claims
  const rows = await database.readInOneRoundTrip({ tenantId }, 'sender', buildSenderQuery(addressed, claims, now()))
  const first = rows[0] as SenderRow
  // A signed-in person needs no X-Tenant: the token names the tenant. Where both are known they must agree.
  if ((pickTenant(first, addressed) ?? tenantId) !== tenantId) throw unauthorized()
  const { user_id: userId, email, role, group_name, customer_name } = first
  if (userId === null) return undefined
  const given = Object.fromEntries(rows.flatMap(({ item, value }) => (item && value ? [[item, value]] : [])))
  const permissions = effectivePermissions(role, given)
  const group = role === 'admin' ? undefined : group_name
  return {
    ...visit,
    tenantId,
    user: { userId, sessionId, email, role, group: group_name, customerName: customer_name },
    permissions,
    can: (item: FeatureItem) => isGranted(permissions[item]),
    transaction: (work) => database.transaction({ tenantId, group }, (db) => work(db)),
  }
}
