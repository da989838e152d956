import type { CreatePool } from '#contract/plans.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context, SignedInUser } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { runOnce } from '../platform/http/idempotency.ts'
import { publishEvents } from '../platform/publish-events.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { findCycle } from './billing-cycle.ts'
import { toDay } from './days.ts'
import { findAnchorDay, lockMembership, setMembers } from './member-lines.ts'
import { findPoolGroup } from './pool-group.ts'
import { lockPool } from './pool-row.ts'
import { getPool } from './queries.ts'
import { reconcilePool } from './reconcile-pool.ts'

interface By {
  user: Pick<SignedInUser, 'email' | 'role' | 'group'>
  now: Date
}

/** Adds a pool to the tenant of the transaction, with its first cycle started. Returns its id. */
export const addPool = async (db: Db, tenantId: string, { user, now }: By, input: CreatePool): Promise<number> => {
  await lockMembership(db, tenantId)
  const limitGb = input.usage_limit
  const { start, end } = findCycle(toDay(now), 1)
  const { id } = await db
    .insertInto('pools')
    .values({
      tenant_id: tenantId,
      name: input.plan_name,
      group_name: findPoolGroup(user, [], null),
      over_limit_behavior: input.over_limit_behavior,
      usage_limit_gb: limitGb,
      next_usage_limit_gb: limitGb,
      anchor_day: 1,
      cycle_start: start,
      cycle_end: end,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { members, added } = await setMembers(db, tenantId, id, input.assigned_service_lines)
  const anchorDay = await findAnchorDay(
    db,
    tenantId,
    members.map((line) => line.id),
  )
  const cycle = findCycle(toDay(now), anchorDay)
  await db
    .updateTable('pools')
    .set({
      anchor_day: anchorDay,
      cycle_start: cycle.start,
      cycle_end: cycle.end,
      group_name: findPoolGroup(user, members, null),
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
  await recordAudit(db, tenantId, now, {
    performer: user.email,
    action: 'pool.create',
    performee: input.plan_name,
    details: { pool: id, behavior: input.over_limit_behavior, limitGb, lines: added },
  })
  await publishEvents(db, tenantId, [{ type: 'pool.created', at: now, subject: { poolId: id } }], now)
  await reconcilePool(db, await lockPool(db, tenantId, id), now)
  await enqueue(db, 'pools', tenantId)
  return id
}

export const createPool = (context: Context, input: CreatePool) =>
  context.transaction(async (db) => {
    const { tenantId, user, services } = context
    const { poolId } = await runOnce(db, context, { call: 'plans.create', input }, async () => ({
      poolId: await addPool(db, tenantId, { user, now: services.now() }, input),
    }))
    return getPool(db, tenantId, poolId)
  })
