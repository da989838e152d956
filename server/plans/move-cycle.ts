import type { Db } from '../platform/database/database.ts'
import { findCycle } from './billing-cycle.ts'
import { toDay } from './days.ts'
import type { PoolRow } from './pool-row.ts'

/** Returns a pool's current cycle if cycles start on this day of the month, and moves its top-ups to that cycle. */
export const moveCycle = async (db: Db, pool: PoolRow, anchorDay: number, now: Date) => {
  const { start, end } = findCycle(toDay(now), anchorDay)
  if (start !== pool.cycle_start)
    await db
      .updateTable('pool_top_ups')
      .set({ cycle_start: start })
      .where('tenant_id', '=', pool.tenant_id)
      .where('pool_id', '=', pool.id)
      .where('cycle_start', '=', pool.cycle_start)
      .execute()
  return { anchor_day: anchorDay, cycle_start: start, cycle_end: end }
}
