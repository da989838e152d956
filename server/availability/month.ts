import type { availability } from '#contract/availability.ts'
import type { RouteOutput } from '#contract/route.ts'
import type { Context } from '../platform/context.ts'
import { addMeasured, getPercent } from './measure.ts'
import { measureFleet } from './summarize.ts'

type Month = RouteOutput<typeof availability.month>

const MEASURED_AGAIN_AFTER_MS = 10 * 60_000
const CACHED_MAX = 1_000

const measureMonth = (ctx: Context): Promise<Month> =>
  ctx.transaction(async (db) => {
    const { terminals } = await measureFleet(db, ctx, { period: 'month' })
    const total = addMeasured(terminals.map(({ measured }) => measured))
    return { percent: getPercent(total), measuredAt: ctx.services.now() }
  })

/**
 * Every dashboard shows it, and for a large fleet it takes seconds: it is computed once for all users with the same
 * access.
 */
export const createMonthHandler = () => {
  const cached = new Map<string, { measuredMs: number; month: Promise<Month> }>()
  return (ctx: Context): Promise<Month> => {
    const key = JSON.stringify([ctx.tenantId, ctx.scope.group ?? null])
    const nowMs = ctx.services.now().getTime()
    const known = cached.get(key)
    if (known && nowMs - known.measuredMs < MEASURED_AGAIN_AFTER_MS) return known.month
    const month = measureMonth(ctx)
    cached.delete(key)
    cached.set(key, { measuredMs: nowMs, month })
    if (cached.size > CACHED_MAX) cached.delete(cached.keys().next().value as string)
    month.catch(() => cached.delete(key))
    return month
  }
}
