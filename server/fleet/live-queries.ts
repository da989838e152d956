import type { Db } from '../db.ts'

export interface FollowerIdentity {
  sessionId: string
  /** What the person sees; undefined is every line of the tenant. */
  group: string | undefined
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

/** Those whose session goes on and whose person still sees what they saw when they came. */
export const listValidFollowers = async <T extends FollowerIdentity>(
  db: Db,
  tenantId: string,
  followers: readonly T[],
): Promise<Set<T>> => {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.tenant_id', '=', 'sessions.tenant_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .select(['sessions.id', 'users.role', 'users.group_name'])
    .where('sessions.tenant_id', '=', tenantId)
    .where('sessions.id', 'in', [...new Set(followers.map(({ sessionId }) => sessionId))])
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', new Date())
    .execute()
  const groupOf = new Map(rows.map((row) => [row.id, row.role === 'admin' ? undefined : row.group_name]))
  return new Set(followers.filter(({ sessionId, group }) => groupOf.has(sessionId) && groupOf.get(sessionId) === group))
}
