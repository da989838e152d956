import { StyleSheet, Text, View } from '@react-pdf/renderer'
import { createElement as h, type ReactElement } from 'react'
import { describeForecast } from '#contract/forecast-words.ts'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount, formatCounted, formatTarget } from '#contract/format/numbers.ts'
import { formatDay, formatMoment } from '#contract/format/times.ts'
import { formatExactGb, formatWholeGb } from '#contract/format/units.ts'
import { aboutAvailability, countIncidents, formatAvailability } from '#contract/report-words.ts'
import type { Report, ReportIncident, ReportLine, ReportPool, ReportTerminal } from '#contract/reports.ts'
import { colors, DayChart, type PdfColumn, Section, Table, TimeBar } from './pdf-parts.ts'

/** A long table takes seconds to lay out; the page and the CSV file have all of it. */
const MAX_TERMINALS = 200

const styles = StyleSheet.create({
  incident: { borderLeft: `2 solid ${colors.line}`, paddingLeft: 8, marginBottom: 8 },
  title: { fontSize: 10, fontWeight: 600 },
  time: { fontSize: 8.5, color: colors.quiet, marginTop: 2 },
  words: { fontSize: 9, lineHeight: 1.4, marginTop: 2 },
  about: { fontSize: 8, lineHeight: 1.5, color: colors.quiet, marginTop: 24 },
})

const formatLongest = ({ outages, longestS }: Pick<ReportTerminal, 'outages' | 'longestS'>) =>
  outages === 0 ? '-' : formatLength(longestS)

const isBelowTarget = ({ isBreached }: { isBreached: boolean }) => isBreached

const terminalColumns: PdfColumn<ReportTerminal>[] = [
  { header: 'Terminal', flex: 4, value: ({ name }) => name },
  {
    header: 'Availability',
    flex: 1.4,
    align: 'right',
    value: ({ percent }) => formatAvailability(percent),
    warns: isBelowTarget,
  },
  { header: 'Down', flex: 1.6, align: 'right', value: ({ downS }) => formatLength(downS) },
  { header: 'Outages', flex: 1.1, align: 'right', value: ({ outages }) => formatCount(outages) },
  { header: 'Longest', flex: 1.6, align: 'right', value: formatLongest },
  { header: 'Planned', flex: 1.3, align: 'right', value: ({ plannedS }) => formatLength(plannedS) },
  { header: 'Not observed', flex: 1.7, align: 'right', value: ({ notObservedS }) => formatLength(notObservedS) },
  {
    header: 'Data',
    flex: 1.7,
    align: 'right',
    value: ({ usedGb }) => (usedGb === null ? '-' : formatExactGb(usedGb)),
  },
]

const groupColumns: PdfColumn<Report['groups'][number]>[] = [
  { header: 'Group', flex: 3, value: ({ group }) => group },
  { header: 'Terminals', flex: 1, align: 'right', value: ({ terminals }) => formatCount(terminals) },
  {
    header: 'Availability',
    flex: 1.3,
    align: 'right',
    value: ({ percent }) => formatAvailability(percent),
    warns: isBelowTarget,
  },
  {
    header: 'Target',
    flex: 1.2,
    align: 'right',
    value: ({ target }) => (target === null ? '-' : formatTarget(target)),
  },
  { header: 'Down', flex: 1.3, align: 'right', value: ({ downS }) => formatLength(downS) },
  { header: 'Outages', flex: 1.1, align: 'right', value: ({ outages }) => formatCount(outages) },
]

const lineColumns: PdfColumn<ReportLine>[] = [
  { header: 'Terminal', flex: 2.6, value: ({ name }) => name },
  { header: 'In the period', flex: 1.3, align: 'right', value: ({ usedGb }) => formatExactGb(usedGb) },
  {
    header: 'In the cycle',
    flex: 1.9,
    align: 'right',
    value: ({ cycleUsedGb, limitGb }) =>
      cycleUsedGb === null
        ? '-'
        : limitGb === null
          ? formatWholeGb(cycleUsedGb)
          : `${formatWholeGb(cycleUsedGb)} of ${formatWholeGb(limitGb)}`,
  },
  { header: 'Forecast', flex: 3.7, value: ({ forecast }) => describeForecast(forecast).text },
]

const poolColumns: PdfColumn<ReportPool>[] = [
  { header: 'Pool', flex: 3.2, value: ({ name }) => name },
  {
    header: 'Used',
    flex: 1.9,
    align: 'right',
    value: ({ usedGb, limitGb }) => `${formatWholeGb(usedGb)} of ${formatWholeGb(limitGb)}`,
  },
  { header: 'Cycle ends', flex: 1.05, align: 'right', value: ({ cycleEnd }) => formatDay(cycleEnd) },
  { header: 'Forecast', flex: 3.55, value: ({ forecast }) => describeForecast(forecast).text },
]

const Incident = ({ incident, timeZone }: { incident: ReportIncident; timeZone: string }) => {
  const { title, explanation, startedAt, endedAt, terminals } = incident
  const end = endedAt
    ? `to ${formatMoment(endedAt, timeZone)} (${formatLength((endedAt.getTime() - startedAt.getTime()) / 1000)})`
    : '(not over)'
  return h(
    View,
    { style: styles.incident, wrap: false },
    h(Text, { style: styles.title }, title),
    h(
      Text,
      { style: styles.time },
      `${formatMoment(startedAt, timeZone)} ${end} · ${formatCounted(terminals, 'terminal')}`,
    ),
    h(Text, { style: styles.words }, explanation),
  )
}

const countNote = (shown: number, all: number, noun: string) =>
  all > shown ? `The ${formatCount(shown)} least available of ${formatCounted(all, noun)}.` : undefined

const withNote = (note: string | undefined) => (note === undefined ? {} : { note })

const IncidentSection = ({ incidents, incidentCount, timeZone }: Report) =>
  h(
    Section,
    { title: countIncidents(incidents.length, incidentCount) },
    ...(incidents.length === 0
      ? [h(Text, { key: 'none', style: styles.words }, 'No incident is recorded in this period.')]
      : incidents.map((incident, index) => h(Incident, { key: String(index), incident, timeZone }))),
  )

const ABOUT = `${aboutAvailability} Below its target it is bold and red. Data is counted in days of UTC.`

/** Everything below the figures at the top. Empty sections are left out. */
export const listSections = (report: Report, color: string): ReactElement[] => {
  const { usage, pools, groups, groupCount } = report
  return [
    h(Section, { key: 'time', title: 'Time of all terminals' }, h(TimeBar, report)),
    h(IncidentSection, { key: 'incidents', ...report }),
    ...(usage.days.length > 0
      ? [h(Section, { key: 'usage', title: 'Data by day' }, h(DayChart, { days: usage.days, color }))]
      : []),
    ...(pools.length > 0
      ? [h(Section, { key: 'pools', title: 'Data pools' }, h(Table<ReportPool>, { columns: poolColumns, rows: pools }))]
      : []),
    ...(usage.lines.length > 0
      ? [
          h(
            Section,
            { key: 'lines', title: 'Terminals that used most data' },
            h(Table<ReportLine>, { columns: lineColumns, rows: usage.lines }),
          ),
        ]
      : []),
    ...(groups.length > 0
      ? [
          h(
            Section,
            { key: 'groups', title: 'Groups', ...withNote(countNote(groups.length, groupCount, 'group')) },
            h(Table<Report['groups'][number]>, { columns: groupColumns, rows: groups }),
          ),
        ]
      : []),
  ]
}

/** The number of rows that fit on a page. */
const TERMINALS_PER_PAGE = 32

/** The table of terminals, by page: the library would lay out all of it again for each page that it spans. */
export const listTerminalPages = ({ terminals, terminalCount }: Report): ReactElement[] => {
  const listed = terminals.slice(0, MAX_TERMINALS)
  const pages = Array.from({ length: Math.max(1, Math.ceil(listed.length / TERMINALS_PER_PAGE)) }, (_, index) =>
    listed.slice(index * TERMINALS_PER_PAGE, (index + 1) * TERMINALS_PER_PAGE),
  )
  const note = countNote(listed.length, terminalCount, 'terminal')
  return pages.map((rows, index) => {
    const isLast = index === pages.length - 1
    return h(
      View,
      { key: String(index) },
      h(
        Section,
        { title: index === 0 ? 'Terminals' : 'Terminals (continued)', ...withNote(isLast ? note : undefined) },
        h(Table<ReportTerminal>, { columns: terminalColumns, rows }),
      ),
      isLast ? h(Text, { style: styles.about }, ABOUT) : null,
    )
  })
}
