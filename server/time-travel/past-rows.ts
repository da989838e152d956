import type { Past } from '#contract/past.ts'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import { type FleetRow, type MeasureColumns, measureColumns } from '../fleet/fleet-queries.ts'
import type { ListRow } from '../fleet/wire-item.ts'
import type { PastValues } from './past-values.ts'
import type { LineFacts, PastDetails, PastLine, PastTerminal, ReportFacts } from './read-versions.ts'

const NO_VALUES: Partial<MeasureColumns> = {}
const NO_ALERTS: string[] = []

/** The facts of a line before its first record: only its identity. */
const toFirstName = ({ nickname, custom_name }: LineFacts): LineFacts => ({
  nickname,
  custom_name,
  is_mobile: false,
  latitude: null,
  longitude: null,
  street: null,
  city: null,
  state: null,
  is_removed: false,
})

/** What was known about a fleet at that time, by terminal or line. */
interface Known {
  statuses: ReadonlyMap<number, TerminalStatus>
  /** For terminals whose values do not contain it. */
  reports: ReadonlyMap<number, ReportFacts>
  values: ReadonlyMap<number, PastValues>
  details: PastDetails | null
}

/** The newer of both counts: a tier has the values of a whole bucket. */
const isNewer = (stored: PastValues, report: ReportFacts | null | undefined) =>
  !report || stored.at_ms >= report.at.getTime()

const findAlerts = (report: ReportFacts | null | undefined, stored: PastValues | undefined) =>
  report?.alerts ?? (stored ? (stored.alerts ?? NO_ALERTS) : null)

// Every field by name: for 10,000 rows, spreading objects takes longer than reading them.

export const toListRow = (
  line: PastLine,
  facts: LineFacts,
  terminal: PastTerminal | null,
  place: number,
  { reports, values, statuses }: Known,
): ListRow => {
  const report = terminal && reports.get(terminal.id)
  const stored = terminal ? values.get(terminal.id) : undefined
  return {
    line_id: line.id,
    group_name: line.group_name,
    service_line_number: line.service_line_number,
    nickname: facts.nickname,
    custom_name: facts.custom_name,
    is_mobile: facts.is_mobile,
    latitude: facts.latitude,
    longitude: facts.longitude,
    street: facts.street,
    city: facts.city,
    state: facts.state,
    device_id: terminal?.device_id ?? null,
    place,
    status: (terminal && statuses.get(terminal.id)) ?? null,
    alerts: findAlerts(report, stored),
    h3_cell: report?.h3_cell ?? null,
    at: stored && isNewer(stored, report) ? new Date(stored.at_ms) : (report?.at ?? null),
  }
}

export const toRow = (
  line: PastLine,
  facts: LineFacts,
  terminal: PastTerminal | null,
  place: number,
  known: Known,
): FleetRow => {
  const { details } = known
  const usage = details?.usage.get(line.id)
  const pool = details?.pools.get(line.id)
  const address = terminal && details?.addresses.get(terminal.id)
  const report = terminal && known.reports.get(terminal.id)
  const stored = terminal ? known.values.get(terminal.id) : undefined
  const isStored = stored !== undefined && isNewer(stored, report)
  const values = (isStored ? stored : report?.values) ?? NO_VALUES
  const row = {
    line_id: line.id,
    group_name: line.group_name,
    service_line_number: line.service_line_number,
    nickname: facts.nickname,
    custom_name: facts.custom_name,
    is_mobile: facts.is_mobile,
    latitude: facts.latitude,
    longitude: facts.longitude,
    street: facts.street,
    city: facts.city,
    state: facts.state,
    product_name: facts.product_name ?? null,
    opt_in_product_id: facts.opt_in_product_id ?? null,
    metadata1: facts.metadata1 ?? null,
    metadata2: facts.metadata2 ?? null,
    metadata3: facts.metadata3 ?? null,
    device_id: terminal?.device_id ?? null,
    kit_serial: terminal?.kit_serial ?? null,
    place,
    status: (terminal && known.statuses.get(terminal.id)) ?? null,
    alerts: findAlerts(report, stored),
    h3_cell: report?.h3_cell ?? null,
    at: isStored ? new Date(stored.at_ms) : (report?.at ?? null),
    ipv4: address?.ipv4 ?? null,
    ipv6_ue: address?.ipv6_ue ?? null,
    ipv6_cpe: address?.ipv6_cpe ?? null,
    // Routers report it every 15 seconds, and it is not stored.
    clients: null,
    priority_gb: usage?.priority_gb ?? null,
    standard_gb: usage?.standard_gb ?? null,
    usage_limit_gb: usage?.usage_limit_gb ?? null,
    data_blocks: usage?.data_blocks ?? null,
    pool_name: pool?.name ?? null,
    // If the line has changed customers since, its former pool is for administrators only.
    pool_group: pool?.group_name === line.group_name ? line.group_name : null,
    pool_used_gb: pool?.used_gb ?? null,
    pool_limit_gb: pool ? pool.usage_limit_gb + pool.top_up_gb : null,
  } satisfies Omit<FleetRow, keyof MeasureColumns> as FleetRow
  for (const column of measureColumns) row[column] = values[column] ?? null
  return row
}

export interface KnownFleet extends Known {
  past: Past
  lines: readonly PastLine[]
  terminals: readonly PastTerminal[]
}

type ToRow<Row> = (line: PastLine, facts: LineFacts, terminal: PastTerminal | null, place: number, known: Known) => Row

export const buildRows = <Row>(known: KnownFleet, build: ToRow<Row>): Row[] => {
  const byLine = Map.groupBy(known.terminals, ({ service_line_id }) => service_line_id)
  const rows: Row[] = []
  for (const line of known.lines) {
    const own = byLine.get(line.id) ?? []
    const facts = line.facts ?? (line.first && own.length > 0 ? toFirstName(line.first) : null)
    if (!facts || facts.is_removed) continue
    if (own.length === 0) rows.push(build(line, facts, null, 1, known))
    for (const [index, terminal] of own.entries()) rows.push(build(line, facts, terminal, index + 1, known))
  }
  return rows
}
