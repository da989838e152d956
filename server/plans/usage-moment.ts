import type { Db } from '../platform/database/database.ts'
import { type Day, getDayFraction, toDay } from './days.ts'

export interface UsageMoment {
  /** The day that the figures cover partially. */
  today: Day
  passedOfToday: number
}

/** How recent the vendor's usage figures are; undefined before the first ones. */
export const findUsageMoment = async (db: Db, tenantId: string): Promise<UsageMoment | undefined> => {
  const newest = await db
    .selectFrom('vendor_feeds')
    .select(({ fn }) => fn.max('last_success_at').as('at'))
    .where('tenant_id', '=', tenantId)
    .where('feed', '=', 'usage')
    .executeTakeFirst()
  return newest?.at ? { today: toDay(newest.at), passedOfToday: getDayFraction(newest.at) } : undefined
}
