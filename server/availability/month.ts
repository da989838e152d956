import type { availability } from '#contract/availability.ts'
import type { RouteOutput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import { createTimedCache } from '../platform/timed-cache.ts'
import { measurePeriod } from './summarize.ts'

type Month = RouteOutput<typeof availability.month>

const CACHE = { lifetimeMs: 10 * 60_000, maxEntries: 1_000 }

const measureMonth = (ctx: Context): Promise<Month> =>
  ctx.transaction(async (db) => ({
    ...(await measurePeriod(db, ctx, { period: 'month' })),
    measuredAt: ctx.services.now(),
  }))

/**
 * Every dashboard shows it, and for a large fleet it takes seconds: it is computed once for all users with the same
 * access.
 */
export const createMonthHandler = () => {
  const cache = createTimedCache<Month>(CACHE)
  return (ctx: Context): Promise<Month> =>
    cache.get(JSON.stringify([ctx.tenantId, ctx.scope.group ?? null]), ctx.services.now(), () => measureMonth(ctx))
}
