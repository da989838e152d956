import { StyleSheet, Text, View } from '@react-pdf/renderer'
import { createElement as h } from 'react'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount, formatTarget } from '#contract/format/numbers.ts'
import { formatDateTime } from '#contract/format/times.ts'
import { formatWholeGb } from '#contract/format/units.ts'
import {
  areIncidentsUnknown,
  describeIncidentCount,
  formatAvailability,
  formatReportKind,
  formatReportPeriod,
  formatReportScope,
  summarizeReport,
} from '#contract/report-words.ts'
import type { Report } from '#contract/reports.ts'
import type { MailBrand } from '../messages/mail-brand.ts'
import { loadFonts, replaceUnknownLetters, UNKNOWN_LETTER } from './pdf-fonts.ts'
import { renderFramed } from './pdf-frame.ts'
import { Card, colors } from './pdf-parts.ts'
import { listSections, listTerminalPages } from './pdf-sections.ts'

export interface PdfDocument {
  brand: MailBrand
  name: string
  report: Report
  logo: Uint8Array | undefined
}

const styles = StyleSheet.create({
  summary: { fontSize: 11, lineHeight: 1.5, marginTop: 14 },
  cards: { flexDirection: 'row', gap: 8, marginTop: 18 },
  note: { fontSize: 8, color: colors.quiet, marginTop: 8 },
})

const Figures = (report: Report) => {
  const { availability, incidentCount, usage, terminalCount } = report
  const { percent, target, isBreached, longestS } = availability
  const isUnknown = areIncidentsUnknown(report)
  return h(
    View,
    { style: styles.cards },
    h(Card, {
      label: 'Availability',
      value: formatAvailability(percent),
      note:
        target === null ? 'Of the time observed' : `Target ${formatTarget(target)} ${isBreached ? 'missed' : 'met'}`,
      color: isBreached ? colors.down : colors.ink,
    }),
    h(Card, {
      label: 'Incidents',
      value: isUnknown ? '-' : formatCount(incidentCount),
      note: describeIncidentCount(report),
    }),
    h(Card, {
      label: 'Longest outage',
      value: longestS === 0 ? '-' : formatLength(longestS),
      note: percent === null ? 'Not observed' : longestS === 0 ? 'No outage' : 'Of one terminal',
    }),
    h(Card, {
      label: 'Data used',
      value: formatWholeGb(usage.usedGb),
      note: `${formatCount(terminalCount)} ${terminalCount === 1 ? 'terminal' : 'terminals'}`,
    }),
  )
}

const NOTE = `Names with ${UNKNOWN_LETTER} have letters that this file cannot show. The page and the CSV file of the report show them.`

const hasUnknownLetters = (shown: unknown) => JSON.stringify(shown).includes(UNKNOWN_LETTER)

/** A report as a PDF; deterministic for the same figures. */
export const renderDocument = async ({ logo, ...given }: PdfDocument): Promise<Uint8Array> => {
  await loadFonts()
  const { brand, name, report } = replaceUnknownLetters(given)
  return renderFramed(
    {
      brand,
      logo,
      name,
      madeAt: report.madeAt,
      timeZone: report.timeZone,
      about: formatReportPeriod(report),
      title: `${formatReportKind(report)}: ${formatReportPeriod(report)}`,
      subtitle: `${formatReportScope(report)} · ${formatDateTime(report.from, report.timeZone)} to ${formatDateTime(report.until, report.timeZone)}`,
    },
    [
      h(Text, { key: 'summary', style: styles.summary }, summarizeReport(report).join(' ')),
      h(Figures, { key: 'figures', ...report }),
      ...(hasUnknownLetters([name, report]) ? [h(Text, { key: 'note', style: styles.note }, NOTE)] : []),
      ...listSections(report, brand.color),
    ],
    listTerminalPages(report),
  )
}
