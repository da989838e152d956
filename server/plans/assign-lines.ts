import type { SignedInUser } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { toDay } from './days.ts'
import { addMembers, findAnchorDay, listMembers, lockMembership, removeMembers } from './member-lines.ts'
import { moveCycle } from './move-cycle.ts'
import { findPoolGroup } from './pool-group.ts'
import { lockPool } from './pool-row.ts'
import { reconcilePool } from './reconcile-pool.ts'
import { startNextCycle } from './start-next-cycle.ts'

interface By {
  tenantId: string
  user: Pick<SignedInUser, 'role' | 'group'>
  now: Date
}

interface Assignment {
  added: readonly number[]
  removed: readonly number[]
  /** The lines that set the billing cycle of a pool without one: those being added, and those still to be added. */
  first: readonly number[]
}

/**
 * Adds lines to a pool and removes others, by the rules of its form. Returns the lines to be added that are now in it:
 * one in another pool stays there. A form opened before this change is outdated. The caller publishes that the pool has
 * changed.
 */
export const assignLines = async (db: Db, by: By, poolId: number, { added, removed, first }: Assignment) => {
  const { tenantId, user, now } = by
  await lockMembership(db, tenantId)
  const before = await startNextCycle(db, await lockPool(db, tenantId, poolId), toDay(now), now)
  const hadLines = (await listMembers(db, tenantId, poolId)).length > 0
  await removeMembers(db, tenantId, poolId, removed)
  const assigned = await addMembers(db, tenantId, poolId, added)
  const anchorDay = hadLines || assigned.size === 0 ? before.anchor_day : await findAnchorDay(db, tenantId, first)
  const after = {
    ...(await moveCycle(db, before, anchorDay, now)),
    group_name: findPoolGroup(user, await listMembers(db, tenantId, poolId), before.group_name),
    version: before.version + 1,
  }
  await db.updateTable('pools').set(after).where('tenant_id', '=', tenantId).where('id', '=', poolId).execute()
  await reconcilePool(db, await lockPool(db, tenantId, poolId), now)
  await enqueue(db, 'pools', tenantId)
  return assigned
}
