import { unauthorized } from '#contract/errors.ts'
import type { FeatureItem } from '#contract/features.ts'
import type { Role } from '#contract/identity.ts'
import { effectivePermissions, grants } from '../access/effective.ts'
import type { Context, SignedIn, Visit } from '../context.ts'
import type { Db } from '../db.ts'
import { type AccessClaims, readAccessToken } from './tokens.ts'

const bearer = (authorization: string | undefined) => /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]

/** The person behind a session that has not ended, with what was granted to them, in one round trip. */
export const findSignedIn = async (db: Db, claims: AccessClaims, now: Date) => {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 's.tenant_id').onRef('u.id', '=', 's.user_id'))
    .leftJoin('feature_grants as g', (join) =>
      join.onRef('g.tenant_id', '=', 'u.tenant_id').onRef('g.user_id', '=', 'u.id'),
    )
    .select(['u.id', 'u.email', 'u.role', 'u.group_name', 'u.customer_name', 'g.item', 'g.value'])
    .where('s.tenant_id', '=', claims.tenantId)
    .where('s.id', '=', claims.sessionId)
    .where('s.ended_at', 'is', null)
    .where('s.expires_at', '>', now)
    .execute()
  const first = row[0]
  if (!first || first.id !== claims.userId) return undefined
  const person: SignedIn = {
    userId: first.id,
    sessionId: claims.sessionId,
    email: first.email,
    role: first.role as Role,
    group: first.group_name,
    customerName: first.customer_name,
  }
  const given = Object.fromEntries(row.flatMap(({ item, value }) => (item && value ? [[item, value]] : [])))
  return { person, permissions: effectivePermissions(person.role, given) }
}

/** Who sent the request; a token of another tenant is refused like a forged one. */
export const authenticate = async (visit: Visit, authorization: string | undefined): Promise<Context | undefined> => {
  const { services, tenantId } = visit
  const token = bearer(authorization)
  if (!token) return undefined
  const claims = await readAccessToken(services.secrets.tokenKey, token, services.now())
  if (!claims) return undefined
  // A signed-in person needs no X-Tenant: the token names the tenant. Where both are known they must agree.
  if (tenantId !== undefined && claims.tenantId !== tenantId) throw unauthorized()
  const scope = { tenantId: claims.tenantId }
  const found = await services.database.transaction(scope, (db) => findSignedIn(db, claims, services.now()))
  if (!found) return undefined
  const { person, permissions } = found
  const group = person.role === 'admin' ? undefined : person.group
  return {
    ...visit,
    tenantId: claims.tenantId,
    person,
    permissions,
    can: (item: FeatureItem) => grants(permissions[item]),
    transaction: (work) => services.database.transaction({ tenantId: claims.tenantId, group }, (db) => work(db)),
  }
}
