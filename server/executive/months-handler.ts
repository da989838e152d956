import type { AccountGroup } from '#contract/account-groups.ts'
import type { ExecutiveMonths } from '#contract/executive.ts'
import type { Context } from '../platform/context.ts'
import { readMonths } from './months.ts'

const READ_AGAIN_AFTER_MS = 10 * 60_000
const CACHED_MAX = 200

interface Input {
  month?: string | undefined
  group?: AccountGroup | undefined
}

/** Summing half a year of a large fleet takes long, so it is done once for all administrators. */
export const createMonthsHandler = () => {
  const cached = new Map<string, { readMs: number; months: Promise<ExecutiveMonths> }>()
  return (ctx: Context, { month, group }: Input): Promise<ExecutiveMonths> => {
    const key = JSON.stringify([ctx.tenantId, month, group])
    const now = ctx.services.now()
    const known = cached.get(key)
    if (known && now.getTime() - known.readMs < READ_AGAIN_AFTER_MS) return known.months
    const months = ctx.transaction((db) => readMonths(db, ctx.tenantId, { now, month, group }))
    cached.delete(key)
    cached.set(key, { readMs: now.getTime(), months })
    if (cached.size > CACHED_MAX) cached.delete(cached.keys().next().value as string)
    months.catch(() => cached.delete(key))
    return months
  }
}
