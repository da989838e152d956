import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Beyond this, worker leases and the expiry of tokens and codes are unreliable. */
export const MAX_CLOCK_SKEW_MS = 30_000

/**
 * How far this process's clock is ahead of the database's; negative if behind. The query's own duration does not count as
 * skew.
 */
export const measureClockSkew = async (db: Db, now: () => Date): Promise<number> => {
  const beforeMs = now().getTime()
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  const afterMs = now().getTime()
  const atMs = (rows[0] as { at: Date }).at.getTime()
  if (atMs < beforeMs) return beforeMs - atMs
  return atMs > afterMs ? afterMs - atMs : 0
}
