import { sql } from 'kysely'
import type { PastKnowledge } from '#contract/past.ts'
import type { Db } from '../platform/database/database.ts'

const selectFirst = (kind: string, tenantId: string) => sql`(
  select known_at from fact_versions
  where tenant_id = ${tenantId} and kind = ${sql.lit(kind)} order by known_at limit 1)`

/** From when on each fact is known. */
export const readKnownSince = async (db: Db, tenantId: string): Promise<PastKnowledge> => {
  const { rows } = await sql<PastKnowledge>`
    select (select noted_at from status_intervals where tenant_id = ${tenantId} order by noted_at limit 1) as status,
      ${selectFirst('line', tenantId)} as names, ${selectFirst('report', tenantId)} as alerts,
      ${selectFirst('address', tenantId)} as addresses, ${selectFirst('member', tenantId)} as pools,
      ${selectFirst('usage', tenantId)} as usage`.execute(db)
  return rows[0] as PastKnowledge
}
