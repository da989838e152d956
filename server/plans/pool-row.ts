import type { Selectable } from 'kysely'
import { notFound } from '#contract/errors.ts'
import type { OverLimitBehavior } from '#contract/plans.ts'
import type { Db } from '../platform/database/database.ts'
import type { DB } from '../platform/database/schema.ts'

export interface PoolRow extends Omit<Selectable<DB['pools']>, 'over_limit_behavior'> {
  over_limit_behavior: OverLimitBehavior
}

export const getLimitGb = ({ usage_limit_gb, top_up_gb }: Pick<PoolRow, 'usage_limit_gb' | 'top_up_gb'>) =>
  usage_limit_gb + top_up_gb

/** The pool, locked until the transaction ends. */
export const lockPool = async (db: Db, tenantId: string, poolId: number): Promise<PoolRow> => {
  const pool = await db
    .selectFrom('pools')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', poolId)
    // Rows that refer to the pool can still be added, so that a transaction that holds the event clock never waits for a pool.
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!pool) throw notFound('There is no such pool.')
  return pool as PoolRow
}
