import type { plans } from '#contract/plans.ts'
import type { Context } from '../platform/context.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { createPool } from './create-pool.ts'
import { toDay } from './days.ts'
import { getLineOutlook, getPoolOutlook } from './outlook.ts'
import { lockPool } from './pool-row.ts'
import { previewPool } from './preview-pool.ts'
import { listAvailableLines, listPools } from './queries.ts'
import { reconcilePool } from './reconcile-pool.ts'
import { updatePool } from './update-pool.ts'

/**
 * Runs before listing, so that the list shows the new cycle even if no worker is running. Cycles start by the calendar,
 * so the user's rights do not matter.
 */
const reconcileDuePools = async (context: Context) => {
  const { tenantId, services } = context
  const now = services.now()
  const due = await context.transaction((db) =>
    db
      .selectFrom('pools')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('cycle_end', '<=', toDay(now))
      .orderBy('id')
      .execute(),
  )
  for (const { id } of due)
    await context.unguarded.transaction(context.scope, async (db) => {
      await reconcilePool(db, await lockPool(db, tenantId, id), now)
      await enqueue(db, 'pools', tenantId)
    })
}

export const planHandlers: Handlers<typeof plans> = {
  list: async (context) => {
    await reconcileDuePools(context)
    return { data: await context.transaction((db) => listPools(db, context.tenantId)) }
  },
  create: (context, { pool_details }) => createPool(context, pool_details),
  update: (context, { pool_details }) => updatePool(context, pool_details),
  preview: (context, input) =>
    context.transaction((db) => previewPool(db, context.tenantId, context.services.now(), input)),
  outlook: (context, { virtual_plan_id }) =>
    context.transaction((db) => getPoolOutlook(db, context.tenantId, Number(virtual_plan_id))),
  lineOutlook: (context, { nickname }) =>
    context.transaction((db, client) => getLineOutlook(db, client, context.tenantId, nickname)),
  availableLines: async (context) => ({
    data: await context.transaction((db) => listAvailableLines(db, context.tenantId)),
  }),
}
