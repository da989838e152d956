import { Document, Image, Page, renderToBuffer, StyleSheet, Text, View } from '@react-pdf/renderer'
import { createElement as h } from 'react'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount, formatPercent } from '#contract/format/numbers.ts'
import { formatDateTime } from '#contract/format/times.ts'
import { formatGb } from '#contract/format/units.ts'
import {
  formatAvailability,
  formatReportKind,
  formatReportPeriod,
  formatReportScope,
  summarizeReport,
} from '#contract/report-words.ts'
import type { Report } from '#contract/reports.ts'
import type { MailBrand } from '../messages/mail-brand.ts'
import { inlineSvgClasses } from './inline-svg-classes.ts'
import { Card, colors, FONT } from './pdf-parts.ts'
import { listSections, listTerminalPages } from './pdf-sections.ts'

export interface PdfDocument {
  brand: MailBrand
  name: string
  report: Report
  logo: Uint8Array | undefined
}

const styles = StyleSheet.create({
  // Without the variants of letters, which take most of the time.
  page: {
    fontFamily: FONT,
    fontFeatureSettings: { calt: 0, ccmp: 0, locl: 0, rlig: 0, liga: 0, clig: 0 },
    fontSize: 10,
    color: colors.ink,
    padding: 50,
    paddingTop: 40,
    paddingBottom: 64,
  },
  stripe: { position: 'absolute', top: 0, left: 0, right: 0, height: 6 },
  header: { flexDirection: 'row', justifyContent: 'space-between', alignItems: 'center', marginBottom: 26 },
  company: { fontSize: 15, fontWeight: 600 },
  kind: { fontSize: 9, color: colors.quiet },
  title: { fontSize: 24, fontWeight: 600 },
  subtitle: { fontSize: 10, color: colors.quiet, marginTop: 4 },
  summary: { fontSize: 11, lineHeight: 1.5, marginTop: 14 },
  cards: { flexDirection: 'row', gap: 8, marginTop: 18 },
  footer: {
    position: 'absolute',
    left: 50,
    right: 50,
    bottom: 28,
    flexDirection: 'row',
    justifyContent: 'space-between',
  },
  small: { fontSize: 8, color: colors.quiet },
})

/** What is known to fit: the library need not lay it out again to see where to break it. Without a break, a page is as high as its content. */
const ONE_PAGE = { wrap: false, style: [styles.page, { minHeight: 792 }] }

const LOGO_HEIGHT = 26
const LOGO_WIDTH = 190

/** The first bytes of a PNG or a JPEG. The library reads no other images of pixels. */
const PIXELS = [0x89, 0xff]

const VIEW_BOX = /viewBox="[\d.-]+[ ,]+[\d.-]+[ ,]+([\d.]+)[ ,]+([\d.]+)"/

/** The logo at the left of its place; undefined if the library cannot read it. */
const Logo = ({ logo }: { logo: Uint8Array }) => {
  const text = Buffer.from(logo).toString('utf8').trimStart()
  if (PIXELS.includes(logo[0] as number)) return h(Image, { src: Buffer.from(logo), style: { height: LOGO_HEIGHT } })
  // Without its width the library would center it.
  const [, width, height] = VIEW_BOX.exec(text) ?? []
  const shown = width && height ? Math.min(LOGO_WIDTH, (LOGO_HEIGHT * Number(width)) / Number(height)) : LOGO_WIDTH
  return h(Image, { src: Buffer.from(inlineSvgClasses(text)), style: { height: LOGO_HEIGHT, width: shown } })
}

const isReadable = (logo: Uint8Array) =>
  PIXELS.includes(logo[0] ?? 0) ||
  // The library recognizes an SVG by its first letters.
  /^<(\?xml|svg)/.test(Buffer.from(logo.subarray(0, 200)).toString('utf8').trimStart())

const Header = ({ brand, logo, name }: PdfDocument) =>
  h(
    View,
    { style: styles.header },
    logo && isReadable(logo) ? h(Logo, { logo }) : h(Text, { style: styles.company }, brand.company),
    h(Text, { style: styles.kind }, name),
  )

const Figures = ({ availability, incidentCount, usage, terminalCount }: Report) => {
  const { percent, target, isBreached, outages, longestS } = availability
  return h(
    View,
    { style: styles.cards },
    h(Card, {
      ...{ label: 'Availability', value: formatAvailability(percent) },
      note:
        target === null
          ? 'Of the time observed'
          : `Target ${formatPercent(target, 2)} ${isBreached ? 'missed' : 'met'}`,
      color: isBreached ? colors.down : colors.ink,
    }),
    h(Card, { label: 'Incidents', value: formatCount(incidentCount), note: `${formatCount(outages)} outages` }),
    h(Card, {
      ...{ label: 'Longest outage', value: longestS === 0 ? '-' : formatLength(longestS) },
      note: longestS === 0 ? 'No outage' : 'Of one terminal',
    }),
    h(Card, {
      ...{ label: 'Data used', value: formatGb(usage.usedGb) },
      note: `${formatCount(terminalCount)} ${terminalCount === 1 ? 'terminal' : 'terminals'}`,
    }),
  )
}

const Footer = ({ brand, report }: PdfDocument) => {
  const contact = [brand.supportPhone, brand.supportEmail].filter((each) => each !== undefined).join(' · ')
  return h(
    View,
    { style: styles.footer, fixed: true },
    h(Text, { style: styles.small }, [brand.company, contact].filter((each) => each !== '').join(' · ')),
    h(Text, {
      style: styles.small,
      render: ({ pageNumber, totalPages }: { pageNumber: number; totalPages: number }) =>
        `Made ${formatDateTime(report.madeAt, report.timeZone)} · ${pageNumber} of ${totalPages}`,
    }),
  )
}

/** A report as a PDF; the same figures always give the same document. */
export const renderDocument = async (document: PdfDocument): Promise<Uint8Array> => {
  const { brand, name, report } = document
  const frame = { size: 'LETTER' as const, style: styles.page }
  const stripe = h(View, { style: [styles.stripe, { backgroundColor: brand.color }], fixed: true })
  const bytes = await renderToBuffer(
    h(
      Document,
      {
        ...{ title: `${name}: ${formatReportPeriod(report)}`, author: brand.company, creator: brand.company },
        ...{ producer: brand.company, language: 'en-US', creationDate: report.madeAt, modificationDate: report.madeAt },
      },
      h(
        Page,
        frame,
        stripe,
        h(Header, document),
        h(Text, { style: styles.title }, `${formatReportKind(report)}: ${formatReportPeriod(report)}`),
        h(
          Text,
          { style: styles.subtitle },
          `${formatReportScope(report)} · ${formatDateTime(report.from, report.timeZone)} to ${formatDateTime(report.until, report.timeZone)}`,
        ),
        h(Text, { style: styles.summary }, summarizeReport(report).join(' ')),
        h(Figures, report),
        ...listSections(report, brand.color),
        h(Footer, document),
      ),
      ...listTerminalPages(report).map((content, index) =>
        h(Page, { key: String(index), ...frame, ...ONE_PAGE }, stripe, content, h(Footer, document)),
      ),
    ),
  )
  return new Uint8Array(bytes)
}
