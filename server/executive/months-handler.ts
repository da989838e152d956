import type { AccountGroup } from '#contract/account-groups.ts'
import type { ExecutiveMonths } from '#contract/executive.ts'
import type { Context } from '../platform/context.ts'
import { createTimedCache } from '../platform/timed-cache.ts'
import { readMonths } from './months.ts'

const CACHE = { lifetimeMs: 10 * 60_000, maxEntries: 200 }

interface Input {
  month?: string | undefined
  group?: AccountGroup | undefined
}

/** Summing half a year of a large fleet takes long, so it is done once for all administrators. */
export const createMonthsHandler = () => {
  const cache = createTimedCache<ExecutiveMonths>(CACHE)
  return (ctx: Context, { month, group }: Input): Promise<ExecutiveMonths> => {
    const { tenantId, services, transaction } = ctx
    const now = services.now()
    return cache.get(JSON.stringify([tenantId, month, group]), now, () =>
      transaction((db) => readMonths(db, tenantId, { now, month, group })),
    )
  }
}
