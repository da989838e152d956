import { type CsvColumn, formatCsv } from '#contract/csv.ts'
import { notFound } from '#contract/errors.ts'
import { narrowReport } from '#contract/report-words.ts'
import type { ReportTerminal, reports } from '#contract/reports.ts'
import { terminalColumns } from '../availability/terminal-columns.ts'
import { toMailBrand } from '../messages/mail-brand.ts'
import type { Context } from '../platform/context.ts'
import { csvResponse } from '../platform/http/csv-response.ts'
import { type Handlers, RawResponse } from '../platform/http/mount.ts'
import { findBrandFile } from '../tenants/brand-files.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { buildReport } from './build-report.ts'
import { formatFileName } from './file-name.ts'
import { changeSchedule, createSchedule, deleteSchedule, sendNow, showSchedules } from './manage-schedules.ts'
import { findLastPeriod } from './period.ts'
import { createRenderPdf } from './render-pdf.ts'
import { findReport, listReports } from './stored-reports.ts'

const getReport = async (ctx: Context, id: string) => {
  const stored = await ctx.transaction((db) => findReport(db, ctx.tenantId, id, { seesPlans: ctx.can('plan_manager') }))
  if (!stored) throw notFound('There is no such report.')
  return stored
}

const columns: CsvColumn<ReportTerminal>[] = [
  ...terminalColumns,
  { header: 'Data (GB)', value: ({ usedGb }) => usedGb },
]

const download = async (ctx: Context, { id }: { id: string }) => {
  const stored = await getReport(ctx, id)
  const lines = async function* () {
    yield formatCsv(columns, stored.report.terminals)
  }
  return csvResponse(formatFileName(stored, 'csv'), lines())
}

const renderPdf = async (ctx: Context, { id }: { id: string }) => {
  const stored = await getReport(ctx, id)
  const { config } = await ctx.transaction((db) => getTenantConfiguration(db, ctx.tenantId))
  const render = createRenderPdf((address) => findBrandFile(ctx.services.config.brandDir, address))
  const bytes = await render(ctx.tenantId, { ...stored, brand: toMailBrand(config) })
  return new RawResponse((_, reply) =>
    reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="${formatFileName(stored, 'pdf')}"`)
      .header('cache-control', 'no-store')
      .send(bytes),
  )
}

export const reportHandlers: Handlers<typeof reports> = {
  list: (ctx, { before }) => ctx.transaction((db) => listReports(db, ctx.tenantId, before)),
  get: async (ctx, { id }) => {
    const { name, report } = await getReport(ctx, id)
    return { name, report }
  },
  pdf: renderPdf,
  csv: download,
  preview: async ({ tenantId, services, unguarded, can }, { group, period, timeZone }) => {
    const now = services.now()
    const wanted = { group: group ?? null, period, timeZone, ...findLastPeriod(period, timeZone, now) }
    // In the scope of the group, as its users see it.
    const report = await unguarded.transaction({ tenantId, group }, (db) => buildReport(db, tenantId, wanted, now), {
      isReadOnly: true,
    })
    return { report: narrowReport(report, { seesPlans: can('plan_manager') }) }
  },
  schedules: showSchedules,
  createSchedule,
  changeSchedule,
  deleteSchedule,
  sendNow,
}
