import { sql } from 'kysely'
import type { Figures } from '#contract/availability.ts'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { formatDateTime } from '#contract/format/times.ts'
import { formatGb } from '#contract/format/units.ts'
import { adviseIncident, explainIncident, formatIncidentTitle } from '#contract/incident-words.ts'
import { countIncidents, formatAvailability, summarizeReport } from '#contract/report-words.ts'
import type { ShownStatus } from '#contract/shown-status.ts'
import type { Units } from '#contract/units.ts'
import { addMeasured, listKinds, measure, toFigures } from '../availability/measure.ts'
import { readHistories } from '../availability/read-histories.ts'
import { followMerges } from '../incidents/follow-incidents.ts'
import { listOpenGaps } from '../incidents/open-gaps.ts'
import { selectIncidents, toIncident } from '../incidents/read-incidents.ts'
import { escapeHtml } from '../messages/escape-html.ts'
import type { Db } from '../platform/database/database.ts'
import { findReport } from '../reports/stored-reports.ts'
import type { OpenLink } from './link-rows.ts'
import { markStatus } from './mark-status.ts'
import { listViewTerminals } from './view-terminals.ts'
import { writeStrip } from './write-strip.ts'

const DAY_MS = 86_400_000
const SHOWN_DAYS = 30

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`

type Content = string | { html: string }

const write = (content: Content) => (typeof content === 'string' ? escapeHtml(content) : content.html)

const factTable = (facts: readonly (readonly [Content, string])[]) =>
  `<dl>${facts.map(([name, value]) => `<div><dt>${write(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>`

const table = (headers: readonly string[], rows: readonly (readonly Content[])[], kind: 'figures' | 'words') => {
  const head = headers.map((header) => `<th scope="col">${escapeHtml(header)}</th>`).join('')
  const writeCell = (cell: Content, column: number) =>
    `<td data-name="${escapeHtml(headers[column] ?? '')}">${write(cell)}</td>`
  const body = rows.map((row) => `<tr>${row.map(writeCell).join('')}</tr>`).join('')
  return `<div class="scroll ${kind}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

const formatLongest = ({ outages, longestS }: Pick<Figures, 'outages' | 'longestS'>) =>
  outages === 0 ? '-' : formatLength(longestS)

const listFigures = ({ percent, downS, plannedS, notObservedS, outages, longestS }: Figures) =>
  [
    ['Availability', formatAvailability(percent)],
    ['Down', formatLength(downS)],
    ['Planned', formatLength(plannedS)],
    ['Not observed', formatLength(notObservedS)],
    ['Outages', formatCount(outages)],
    ['Longest outage', formatLongest({ outages, longestS })],
  ] as const

interface Setting {
  tenantId: string
  timeZone: string
  units: Units
  now: Date
}

/** Whether the terminal gives service. */
const isWorking = (interval: string) =>
  sql`(${sql.ref(`${interval}.status`)} = 'online' and not ${sql.ref(`${interval}.disabled`)})`

/** Since when a terminal works, or does not: what it reports while it is disabled or down changes nothing. */
const selectSince = sql`(
  select min(run.started_at) from status_intervals as run
  where run.tenant_id = state.tenant_id and run.terminal_id = state.terminal_id and run.started_at > coalesce((
    select max(other.started_at) from status_intervals as other
    where other.tenant_id = state.tenant_id and other.terminal_id = state.terminal_id
      and ${isWorking('other')} <> ${isWorking('state')}), '-infinity'))`

const viewTerminal = async (db: Db, lineId: number, { tenantId, timeZone, now }: Setting) => {
  const { rows } = await sql<{ status: ShownStatus; since: Date; credential_id: number }>`
    select case when state.disabled then 'disabled' else state.status end as status, ${selectSince} as since,
      terminal.credential_id
    from terminals as terminal
    join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
    join status_intervals as state on state.tenant_id = terminal.tenant_id and state.terminal_id = terminal.id
      and state.ended_at is null
    where terminal.tenant_id = ${tenantId} and terminal.service_line_id = ${lineId} and terminal.removed_at is null
      and line.removed_at is null
    order by terminal.id limit 1`.execute(db)
  const [state] = rows
  const within = { fromMs: now.getTime() - SHOWN_DAYS * DAY_MS, toMs: now.getTime() }
  const { histories } = await readHistories(db, tenantId, within, { lineId })
  if (histories.length === 0) return undefined
  const measured = histories.map(({ readHistory }) => measure(readHistory(), SHOWN_DAYS * DAY_MS))
  const strips = histories.map(({ readHistory }) => writeStrip(listKinds(readHistory(), within), within))
  const { html } = markStatus(state?.status ?? 'no data')
  const status = state ? `${html} since ${formatDateTime(state.since, timeZone)}` : html
  const gapSince = state && (await listOpenGaps(db, tenantId)).get(state.credential_id)
  const gapNotice = gapSince
    ? paragraph(`No data has reached us since ${formatDateTime(gapSince, timeZone)}: this is the last known status.`)
    : ''
  return `<p class="status">${status}</p>${gapNotice}<h2>The last ${SHOWN_DAYS} days</h2>${strips.join('')}${factTable(listFigures(toFigures(addMeasured(measured))))}`
}

/** What a link shows. `content` is HTML. */
export interface SharedView {
  heading: string
  content: string
}

const viewIncident = async (db: Db, shared: string, { tenantId, timeZone, units, now }: Setting) => {
  const [current] = await followMerges(db, tenantId, [shared])
  if (!current) return undefined
  const [row] = await selectIncidents(db, tenantId, sql`incident.id = ${current.id}`)
  if (!row) return undefined
  // As for a user of a group: the evidence can involve other terminals.
  const incident = toIncident(row, { seesAll: false })
  const advice = adviseIncident(incident)
  const { startedAt, endedAt, terminals } = incident
  const content = [
    ...explainIncident(incident, units).map(paragraph),
    ...(advice === undefined ? [] : [paragraph(advice)]),
    factTable([
      ['Began', formatDateTime(startedAt, timeZone)],
      ...(endedAt ? ([['Ended', formatDateTime(endedAt, timeZone)]] as const) : []),
      [endedAt ? 'Lasted' : 'Lasts so far', formatLength(((endedAt ?? now).getTime() - startedAt.getTime()) / 1000)],
      ['Terminals', formatCount(terminals)],
    ]),
  ].join('')
  // Not the title of the link: the cause may have been corrected since.
  return { heading: formatIncidentTitle(incident), content }
}

const viewReport = async (db: Db, id: string, { tenantId }: Setting) => {
  const stored = await findReport(db, tenantId, id, { seesPlans: false })
  if (!stored) return undefined
  const { report } = stored
  const { timeZone, incidents, incidentCount, terminals, terminalCount, usage } = report
  const cut =
    terminalCount > terminals.length ? `: ${formatCount(terminals.length)} of ${formatCount(terminalCount)}` : ''
  return [
    paragraph(`${formatDateTime(report.from, timeZone)} to ${formatDateTime(report.until, timeZone)}`),
    paragraph(summarizeReport(report).join(' ')),
    factTable([...listFigures(report.availability), ['Data used', formatGb(usage.usedGb)]]),
    `<h2>${countIncidents(incidents.length, incidentCount)}</h2>`,
    ...(incidents.length === 0 ? [paragraph('No incident is recorded.')] : []),
    ...incidents.map(
      ({ title, explanation, startedAt, endedAt, terminals: count }) =>
        `<h3>${escapeHtml(title)}</h3>${paragraph(
          `${formatDateTime(startedAt, timeZone)} ${endedAt ? `to ${formatDateTime(endedAt, timeZone)}` : '(not over)'}, ${formatCounted(count, 'terminal')}. ${explanation}`,
        )}`,
    ),
    `<h2>Terminals${cut}</h2>`,
    table(
      ['Terminal', 'Availability', 'Down', 'Outages', 'Longest', 'Data'],
      terminals.map(({ name, percent, downS, outages, longestS, usedGb }) => [
        name,
        formatAvailability(percent),
        formatLength(downS),
        formatCount(outages),
        formatLongest({ outages, longestS }),
        usedGb === null ? '-' : formatGb(usedGb),
      ]),
      'figures',
    ),
  ].join('\n')
}

const viewSelection = async (db: Db, view: NonNullable<OpenLink['view']>, setting: Setting) => {
  const { summary, shares, headers, rows } = await listViewTerminals(db, setting, view)
  return [paragraph(summary), factTable(shares), ...(rows.length > 0 ? [table(headers, rows, 'words')] : [])].join('\n')
}

const viewContent = async (db: Db, link: OpenLink, setting: Setting) => {
  if (link.service_line_id !== null) return viewTerminal(db, link.service_line_id, setting)
  if (link.report_id !== null) return viewReport(db, link.report_id, setting)
  return link.view ? viewSelection(db, link.view, setting) : undefined
}

/** Undefined if the subject of the link does not exist. */
export const viewShared = async (db: Db, link: OpenLink, setting: Setting): Promise<SharedView | undefined> => {
  if (link.incident_id !== null) return viewIncident(db, link.incident_id, setting)
  const content = await viewContent(db, link, setting)
  return content === undefined ? undefined : { heading: link.title, content }
}
