import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Db } from '../platform/database/database.ts'
import { applyLimit } from './crossings.ts'
import { toDay } from './days.ts'
import { measure } from './measure.ts'
import { getLimitGb, type PoolRow } from './pool-row.ts'
import { startNextCycle } from './start-next-cycle.ts'

/** Brings a locked pool up to date: its cycle, its usage, and the actions that its limit requires. */
export const reconcilePool = async (db: Db, before: PoolRow, now: Date): Promise<PoolRow> => {
  const changed = await startNextCycle(db, before, toDay(now), now)
  const after = await applyLimit(db, await measure(db, changed), now)
  if (after.used_gb !== before.used_gb || getLimitGb(after) !== getLimitGb(before)) await notifyPoolLines(db, after)
  return after
}

/** The lists of terminals show the pool's usage and limit. */
const notifyPoolLines = async (db: Db, pool: PoolRow) => {
  const lines = await db
    .selectFrom('pool_lines')
    .select('service_line_id')
    .where('tenant_id', '=', pool.tenant_id)
    .where('pool_id', '=', pool.id)
    .execute()
  await notifyLinesChanged(
    db,
    pool.tenant_id,
    lines.map((line) => line.service_line_id),
  )
}
