import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { Day } from './days.ts'
import { HISTORY_DAYS } from './forecast.ts'

interface Row {
  key: number
  ago: number[]
  gb: number[]
}

/** Turns GB by days ago into a series without gaps. */
export const toSeries = ({ ago, gb }: Omit<Row, 'key'>): number[] => {
  const days = new Array<number>(HISTORY_DAYS).fill(0)
  for (const [index, daysAgo] of ago.entries()) days[HISTORY_DAYS - daysAgo] = gb[index] ?? 0
  return days
}

interface Wanted {
  tenantId: string
  /** The day that is not over yet. The series ends the day before. */
  today: Day
  /** The grouping column of `member`, the rows of pool_lines. */
  by: 'pool_id' | 'service_line_id'
  where: RawBuilder<unknown>
}

/** Priority data of each whole day before today, by pool or by line; a day that the vendor omits counts as zero. */
export const listDailySeries = async (
  db: Db,
  { tenantId, today, by, where }: Wanted,
): Promise<Map<number, number[]>> => {
  const key = sql.ref(`member.${by}`)
  const { rows } = await sql<Row>`
    select daily.key, array_agg(daily.ago) as ago, array_agg(daily.gb) as gb
    from (
      select ${key} as key, (${today}::date - usage.day)::integer as ago, sum(usage.priority_gb) as gb
      from pool_lines as member
      join daily_usage as usage on usage.tenant_id = member.tenant_id
        and usage.service_line_id = member.service_line_id
        and usage.day < ${today}::date and usage.day >= ${today}::date - ${HISTORY_DAYS}::integer
      where member.tenant_id = ${tenantId} and ${where}
      group by 1, 2
    ) as daily
    group by 1`.execute(db)
  return new Map(rows.map((row) => [row.key, toSeries(row)]))
}

/** The same for one line, whether it is in a pool or not. */
export const listLineDailySeries = async (
  db: Db,
  { tenantId, today, lineId }: { tenantId: string; today: Day; lineId: number },
): Promise<number[]> => {
  const { rows } = await sql<{ ago: number; gb: number }>`
    select (${today}::date - day)::integer as ago, priority_gb as gb
    from daily_usage
    where tenant_id = ${tenantId} and service_line_id = ${lineId}
      and day < ${today}::date and day >= ${today}::date - ${HISTORY_DAYS}::integer`.execute(db)
  return toSeries({ ago: rows.map(({ ago }) => ago), gb: rows.map(({ gb }) => gb) })
}
