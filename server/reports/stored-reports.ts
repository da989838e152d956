import { sql } from 'kysely'
import * as z from 'zod/mini'
import { narrowReport } from '#contract/report-words.ts'
import { Report, type ReportHeading } from '#contract/reports.ts'
import { selectViewers, toViewer } from '../access/select-viewers.ts'
import type { Db } from '../platform/database/database.ts'

const PAGE = 50

interface HeadingRow {
  id: string
  name: string
  group_name: string | null
  period: ReportHeading['period']
  first_day: string
  last_day: string
  made_at: Date
  percent: number | null
  breached: boolean
}

/** The reports visible to the transaction, newest first. */
export const listReports = async (db: Db, tenantId: string, before: string | undefined) => {
  const later =
    before === undefined
      ? sql``
      : sql`and (made_at, id) < (select made_at, id from reports where tenant_id = ${tenantId} and id = ${before})`
  const { rows } = await sql<HeadingRow>`
    select id, name, group_name, period, first_day, last_day, made_at,
      (figures #>> '{availability,percent}')::float8 as percent,
      (figures #>> '{availability,isBreached}')::boolean as breached
    from reports where tenant_id = ${tenantId} ${later}
    order by made_at desc, id desc limit ${PAGE + 1}`.execute(db)
  const reports = rows.slice(0, PAGE).map(
    (row): ReportHeading => ({
      id: row.id,
      name: row.name,
      group: row.group_name,
      period: row.period,
      madeAt: row.made_at,
      firstDay: row.first_day,
      lastDay: row.last_day,
      percent: row.percent,
      isBreached: row.breached,
    }),
  )
  return { reports, hasMore: rows.length > PAGE }
}

export interface StoredReport {
  id: string
  name: string
  report: Report
}

/** A report visible to the transaction, without plans for readers who may not see them. */
export const findReport = async (
  db: Db,
  tenantId: string,
  id: string,
  viewer: { seesPlans: boolean },
): Promise<StoredReport | undefined> => {
  const row = await db
    .selectFrom('reports')
    .select(['id', 'name', 'figures'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const report = z.decode(Report, row.figures as z.input<typeof Report>)
  return { id: row.id, name: row.name, report: narrowReport(report, viewer) }
}

/** What a user may currently see: the address, the group if limited to it, and whether they may see plans. */
export const findViewer = async (db: Db, tenantId: string, userId: number) => {
  const user = await selectViewers(db, tenantId).where('user.id', '=', userId).executeTakeFirst()
  return user && toViewer(user)
}

/** As long as the incidents that it mentions. */
const RETENTION = '400 days'

export const purgeReports = async (db: Db, tenantId: string, now: Date) => {
  await sql`
    delete from reports
    where tenant_id = ${tenantId} and made_at < ${now}::timestamptz - interval '${sql.raw(RETENTION)}'`.execute(db)
}
