import { formatCount } from '#contract/format/numbers.ts'
import { formatGb } from '#contract/format/units.ts'
import {
  areIncidentsUnknown,
  formatAvailability,
  formatReportKind,
  formatReportPeriod,
  formatReportScope,
  summarizeReport,
} from '#contract/report-words.ts'
import type { Revalidate } from '../messages/deliver.ts'
import { type MailBrand, toMailBrand } from '../messages/mail-brand.ts'
import { queueMail } from '../messages/queue-mail.ts'
import { renderMail } from '../messages/render-mail.ts'
import type { Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { findPages } from '../tenants/pages.ts'
import { formatFileName } from './file-name.ts'
import type { RenderPdf } from './render-pdf.ts'
import { findReport, findViewer, type StoredReport } from './stored-reports.ts'

/** Stored with a queued mail. */
interface QueuedReport {
  userId: number
  report: string
}

export const isReport = (notice: Json | null): notice is Json & QueuedReport =>
  typeof notice === 'object' && notice !== null && 'report' in notice

const writeMail = (brand: MailBrand, { id, name, report }: StoredReport, pages: string | undefined) => {
  const subject = `${name}: ${formatReportPeriod(report)}`
  const { availability, incidentCount, usage } = report
  const facts: [string, string][] = [
    ['Report', `${formatReportKind(report)} for ${formatReportPeriod(report)}`],
    ['Terminals', formatReportScope(report)],
    ['Availability', formatAvailability(availability.percent)],
    ['Incidents', areIncidentsUnknown(report) ? '-' : formatCount(incidentCount)],
    ['Data used', formatGb(usage.usedGb)],
  ]
  return {
    subject,
    ...renderMail(brand, {
      heading: subject,
      paragraphs: [
        summarizeReport(report).join(' '),
        'The report is attached. You get it because an administrator of the portal has chosen you as a recipient.',
      ],
      facts,
      links: pages ? [['Open the report', `${pages}/reports/${id}`]] : [],
    }),
  }
}

/** The mail with the recipient's current permissions; undefined if they may not see the report. */
const findMail = async (db: Db, tenantId: string, { userId, report: reportId }: QueuedReport) => {
  const viewer = await findViewer(db, tenantId, userId)
  const stored = viewer && (await findReport(db, tenantId, reportId, viewer))
  if (!stored || (viewer.group !== undefined && viewer.group !== stored.report.group)) return undefined
  const { config } = await getTenantConfiguration(db, tenantId)
  const brand = toMailBrand(config)
  return { viewer, stored, brand, words: writeMail(brand, stored, await findPages(db, tenantId)) }
}

export const queueReportMail = async (db: Db, tenantId: string, { id }: { id: number }, reportId: string) => {
  const notice = { userId: id, report: reportId } satisfies QueuedReport
  const mail = await findMail(db, tenantId, notice)
  if (mail) await queueMail(db, tenantId, { to: mail.viewer.email, ...mail.words, notice })
}

/** Revalidates a mail when it is sent, and attaches the report as the recipient may then see it. */
export const createRevalidateReport =
  (renderPdf: RenderPdf): Revalidate =>
  async (db, tenantId, row) => {
    const mail = await findMail(db, tenantId, row.notice as unknown as QueuedReport)
    if (!mail) return { withdrawn: 'The user is gone or may no longer see this report.' }
    if (mail.viewer.email !== row.recipient) return { withdrawn: 'The user has another address by now.' }
    const { stored, brand, words } = mail
    const read = () => renderPdf(tenantId, { brand, ...stored })
    return { ...words, attachments: [{ filename: formatFileName(stored, 'pdf'), read }] }
  }
