import { sql } from 'kysely'
import type { Role } from '#contract/identity.ts'
import { holdsItem } from '../access/effective.ts'
import type { Db } from '../platform/database/database.ts'
import { mustAddFactor } from '../platform/must-add-factor.ts'
import { getVisibleGroup } from '../platform/scope.ts'
import { isVouchedToken } from '../platform/vouched-token.ts'
import type { View } from './fragments.ts'

export interface SubscriberIdentity {
  /** The id of a session or an API token. */
  senderId: string
  /** What the user may see and has requested. */
  view: View
}

/** The subscribers whose session or token is still valid and whose user may still see the same view. */
export const listValidSubscribers = async <T extends SubscriberIdentity>(
  db: Db,
  tenantId: string,
  subscribers: readonly T[],
): Promise<Set<T>> => {
  const ids = subscribers.map(({ senderId }) => senderId)
  const senders = db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'expires_at', 'is_single_sign_on'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('ended_at', 'is', null)
    .unionAll(
      db
        .selectFrom('api_tokens')
        .select(['id', 'user_id', 'expires_at', isVouchedToken('api_tokens').as('is_single_sign_on')])
        .where('tenant_id', '=', tenantId)
        .where(sql<boolean>`id = any(${ids}::uuid[])`)
        .where('revoked_at', 'is', null),
    )
  const rows = await db
    .selectFrom(senders.as('sender'))
    .innerJoin('users', 'users.id', 'sender.user_id')
    .leftJoin('feature_grants', (join) =>
      join
        .onRef('feature_grants.tenant_id', '=', 'users.tenant_id')
        .onRef('feature_grants.user_id', '=', 'users.id')
        .on('feature_grants.item', '=', 'metadata'),
    )
    .select(['sender.id', 'users.role', 'users.group_name', 'feature_grants.value as metadata'])
    .where('users.tenant_id', '=', tenantId)
    // For single sign-on the provider is responsible for password and factors.
    .where(sql<boolean>`sender.is_single_sign_on or not (users.must_change_password or ${mustAddFactor()})`)
    .where('sender.expires_at', '>', new Date())
    .execute()
  const known = new Map(rows.map((row) => [row.id, row]))
  return new Set(
    subscribers.filter(({ senderId, view }) => {
      const user = known.get(senderId)
      if (!user) return false
      const role = user.role as Role
      const group = getVisibleGroup({ role, group: user.group_name })
      const seesMetadata = holdsItem('metadata', role, user.metadata)
      return view.group === group && view.metadata === (view.details && seesMetadata)
    }),
  )
}
