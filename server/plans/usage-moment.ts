import type { Db } from '../platform/database/database.ts'
import { type Day, getDayFraction, toDay } from './days.ts'

export interface UsageMoment {
  /** The day that the figures tell a part of. */
  today: Day
  passedOfToday: number
}

/** How new the vendor's figures of usage are; undefined before the first came. */
export const findUsageMoment = async (db: Db, tenantId: string): Promise<UsageMoment | undefined> => {
  const newest = await db
    .selectFrom('vendor_feeds')
    .select(({ fn }) => fn.max('last_success_at').as('at'))
    .where('tenant_id', '=', tenantId)
    .where('feed', '=', 'usage')
    .executeTakeFirst()
  return newest?.at ? { today: toDay(newest.at), passedOfToday: getDayFraction(newest.at) } : undefined
}
