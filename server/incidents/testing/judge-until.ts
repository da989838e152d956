import type { Database } from '../../platform/database/database.ts'
import { judgeTenant } from '../queue.ts'

/** Evaluates everything up to a time, as if it were the current time of the tenant's event clock. */
export const judgeUntil = async (database: Database, tenantId: string, until: Date) => {
  const readClock = async () => until
  while ((await judgeTenant(database, tenantId, until, { readClock })).upTo < until);
}
