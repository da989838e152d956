import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { DB } from './schema.ts'

/** With fewer rows any plan is quick. */
const MANY_ROWS = 50

/**
 * Analyzes the tables in which PostgreSQL expects far fewer rows of the tenant than were just written, as in the first minute
 * of a large account. Statistics and rows become visible together when the transaction commits.
 */
export const refreshStatistics = async (db: Db, written: Partial<Record<keyof DB, number>>): Promise<void> => {
  const many = Object.entries(written).filter(([, rows]) => rows >= MANY_ROWS)
  if (many.length === 0) return
  await sql`
    select refresh_statistics(written.name, written.rows)
    from unnest(${many.map(([name]) => name)}::text[], ${many.map(([, rows]) => rows)}::integer[]) as written (name, rows)`.execute(
    db,
  )
}
