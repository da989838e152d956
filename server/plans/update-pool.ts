import { conflict } from '#contract/errors.ts'
import { topUpBucketGb, type UpdatePool } from '#contract/plans.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { runOnce } from '../platform/http/idempotency.ts'
import { publishEvents } from '../platform/publish-events.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { toDay } from './days.ts'
import { findAnchorDay, listMembers, lockMembership, setMembers } from './member-lines.ts'
import { moveCycle } from './move-cycle.ts'
import { findPoolGroup } from './pool-group.ts'
import { getLimitGb, lockPool, type PoolRow } from './pool-row.ts'
import { getPool } from './queries.ts'
import { reconcilePool } from './reconcile-pool.ts'
import { startNextCycle } from './start-next-cycle.ts'

const buyTopUps = async (db: Db, pool: PoolRow, count: number, by: string, now: Date) => {
  const bucket = {
    tenant_id: pool.tenant_id,
    pool_id: pool.id,
    cycle_start: pool.cycle_start,
    amount_gb: topUpBucketGb,
    bought_at: now,
    bought_by: by,
  }
  await db
    .insertInto('pool_top_ups')
    .values(Array.from({ length: count }, () => bucket))
    .execute()
  await recordAudit(db, pool.tenant_id, now, {
    performer: by,
    action: 'pool.top_up',
    performee: pool.name,
    details: {
      pool: pool.id,
      buckets: count,
      amountGb: count * topUpBucketGb,
      before: getLimitGb(pool),
      after: getLimitGb(pool) + count * topUpBucketGb,
    },
  })
  return pool.top_up_gb + count * topUpBucketGb
}

const change = async (db: Db, { tenantId, user, services }: Context, input: UpdatePool) => {
  const now = services.now()
  const poolId = Number(input.virtual_plan_id)
  await lockMembership(db, tenantId)
  const locked = await lockPool(db, tenantId, poolId)
  // A cycle that started meanwhile changed the limits too, so a form opened before it is outdated.
  const before = await startNextCycle(db, locked, toDay(now), now)
  if (input.version !== undefined && input.version !== before.version)
    throw conflict('This pool has changed since you opened it. Please open it again.')
  const hadLines = (await listMembers(db, tenantId, poolId)).length > 0
  const { members, added, removed } = await setMembers(db, tenantId, poolId, input.assigned_service_lines)
  // The first lines of a pool set its billing cycle. After that it stays.
  const memberIds = members.map(({ id }) => id)
  const anchorDay = hadLines || added.length === 0 ? before.anchor_day : await findAnchorDay(db, tenantId, memberIds)
  const cycle = await moveCycle(db, before, anchorDay, now)
  const topUpGb = input.top_up_count
    ? await buyTopUps(db, { ...before, ...cycle }, input.top_up_count, user.email, now)
    : before.top_up_gb
  const after = {
    name: input.plan_name,
    group_name: findPoolGroup(user, members, before.group_name),
    over_limit_behavior: input.over_limit_behavior,
    usage_limit_gb: input.usage_limit,
    next_usage_limit_gb: input.usage_limit_next_month,
    top_up_gb: topUpGb,
    ...cycle,
    version: before.version + 1,
  }
  await db.updateTable('pools').set(after).where('tenant_id', '=', tenantId).where('id', '=', poolId).execute()
  const describe = ({ name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb }: typeof after) => ({
    name,
    behavior: over_limit_behavior,
    limitGb: usage_limit_gb,
    nextLimitGb: next_usage_limit_gb,
  })
  await recordAudit(db, tenantId, now, {
    performer: user.email,
    action: 'pool.update',
    performee: input.plan_name,
    details: { pool: poolId, before: describe(before), after: describe(after), added, removed },
  })
  await publishEvents(db, tenantId, [{ type: 'pool.changed', at: now, subject: { poolId } }], now)
  await reconcilePool(db, await lockPool(db, tenantId, poolId), now)
  await enqueue(db, 'pools', tenantId)
  return { poolId }
}

/** Saves a whole pool, unless it has changed since the user opened it. */
export const updatePool = (context: Context, input: UpdatePool) =>
  context.transaction(async (db) => {
    const { poolId } = await runOnce(db, context, { call: 'plans.update', input }, () => change(db, context, input))
    return getPool(db, context.tenantId, poolId)
  })
