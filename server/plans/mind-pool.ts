import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Db } from '../platform/database/database.ts'
import { changeOver } from './change-over.ts'
import { applyLimit } from './crossings.ts'
import { dayOf } from './days.ts'
import { measure } from './measure.ts'
import { limitOf, type PoolRow } from './pool-row.ts'

/** Brings a locked pool to what holds now: its cycle, its use, and what its limit asks for. */
export const mindPool = async (db: Db, before: PoolRow, now: Date): Promise<PoolRow> => {
  const changed = await changeOver(db, before, dayOf(now), now)
  const after = await applyLimit(db, await measure(db, changed), now)
  if (after.used_gb !== before.used_gb || limitOf(after) !== limitOf(before)) await notifyPoolLines(db, after)
  return after
}

/** The lists of terminals show the pool's use and limit. */
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
