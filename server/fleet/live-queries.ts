import { sql } from 'kysely'
import { isGranted } from '#contract/features.ts'
import type { Role } from '#contract/identity.ts'
import { effectiveValue } from '../access/effective.ts'
import type { Db } from '../platform/database/database.ts'
import { visibleGroup } from '../platform/scope.ts'
import type { View } from './fragments.ts'

export interface SubscriberIdentity {
  sessionId: string
  /** What the user may see and has requested. */
  view: View
}

/** When the tenant's newest telemetry was measured. */
export const findFeedAt = async (db: Db, tenantId: string): Promise<Date | null> => {
  const row = await db
    .selectFrom('vendor_feeds')
    .select((eb) => eb.fn.max('newest_sample_at').as('at'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.at ?? null
}

/** The subscribers whose session is still valid and whose user may still see the same view. */
export const listValidSubscribers = async <T extends SubscriberIdentity>(
  db: Db,
  tenantId: string,
  subscribers: readonly T[],
): Promise<Set<T>> => {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.tenant_id', '=', 'sessions.tenant_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .leftJoin('feature_grants', (join) =>
      join
        .onRef('feature_grants.tenant_id', '=', 'users.tenant_id')
        .onRef('feature_grants.user_id', '=', 'users.id')
        .on('feature_grants.item', '=', 'metadata'),
    )
    .select(['sessions.id', 'users.role', 'users.group_name', 'feature_grants.value as metadata'])
    .where('sessions.tenant_id', '=', tenantId)
    .where(sql<boolean>`sessions.id = any(${subscribers.map(({ sessionId }) => sessionId)}::uuid[])`)
    .where('sessions.ended_at', 'is', null)
    .where('users.must_change_password', '=', false)
    .where('sessions.expires_at', '>', new Date())
    .execute()
  const known = new Map(rows.map((row) => [row.id, row]))
  return new Set(
    subscribers.filter(({ sessionId, view }) => {
      const user = known.get(sessionId)
      if (!user) return false
      const role = user.role as Role
      const group = visibleGroup({ role, group: user.group_name })
      const seesMetadata = isGranted('metadata', effectiveValue('metadata', role, user.metadata ?? undefined).value)
      return view.group === group && view.metadata === (view.details && seesMetadata)
    }),
  )
}
