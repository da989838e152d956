import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Beyond this, leases of workers and the expiry of tokens and codes can no longer be relied on. */
export const MAX_CLOCK_SKEW_MS = 30_000

/** How far the process's clock is ahead of the database's; negative if it is behind. The time of the query is no difference. */
export const measureClockSkew = async (db: Db, now: () => Date): Promise<number> => {
  const beforeMs = now().getTime()
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  const afterMs = now().getTime()
  const atMs = (rows[0] as { at: Date }).at.getTime()
  if (atMs < beforeMs) return beforeMs - atMs
  return atMs > afterMs ? afterMs - atMs : 0
}
