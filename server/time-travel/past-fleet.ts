import { sql } from 'kysely'
import type { Past } from '#contract/past.ts'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import { type FleetRow, type MeasureColumns, measureColumns } from '../fleet/fleet-queries.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { requirePast } from '../platform/past.ts'
import { findSource, type PastValues, readObservedUntil, readValues } from './past-values.ts'
import {
  type LineFacts,
  type Moment,
  type PastDetails,
  type PastLine,
  type PastTerminal,
  type ReportFacts,
  readDetails,
  readLines,
  readReports,
  readStatuses,
  readTerminals,
} from './read-versions.ts'

const NO_VALUES: Partial<MeasureColumns> = {}

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
  statuses: ReadonlyMap<number, TerminalStatus | null>
  /** For terminals whose values do not contain it. */
  reports: ReadonlyMap<number, ReportFacts>
  values: ReadonlyMap<number, PastValues>
  details: PastDetails | null
}

// Every field by name: for 10,000 rows, spreading objects takes longer than reading them.
const toRow = (
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
  // The newer of both: a tier has the values of a whole bucket.
  const isStored = stored !== undefined && (!report || stored.at >= report.at)
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
    alerts: report?.alerts ?? (stored ? (stored.alerts ?? []) : null),
    h3_cell: report?.h3_cell ?? null,
    at: isStored ? stored.at : (report?.at ?? null),
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

interface StateOptions {
  now: Date
  /** The parts that are not in the list: values, usage, pools and addresses. */
  withDetails: boolean
}

/** The values of terminals that any of the accounts had observed by then. */
const readAllValues = async (
  db: Db,
  { tenantId, at }: Moment,
  terminals: readonly PastTerminal[],
  { now, withDetails }: StateOptions,
) => {
  const source = findSource(at, now)
  const observedUntil = await readObservedUntil(db, tenantId, at)
  const values = new Map<number, PastValues>()
  for (const [credentialId, toMs] of observedUntil) {
    const ids = terminals.filter(({ credential_id }) => credential_id === credentialId).map(({ id }) => id)
    if (!source || ids.length === 0) continue
    const read = await readValues(db, tenantId, { ids, toMs, tier: source.tier, withMeasures: withDetails })
    for (const [id, row] of read) values.set(id, row)
  }
  const newestMs = Math.max(...observedUntil.values())
  return { values, newestAt: Number.isFinite(newestMs) ? new Date(newestMs) : null, source }
}

/**
 * The terminals whose last report is needed. A sample has the same content as the report before it, except for the position,
 * which only mobile lines show, and the uptime, which only the terminal's page shows. Tier buckets do not say when alerts began
 * and ended.
 */
const listUnreported = (
  { lineIds }: Moment,
  lines: readonly PastLine[],
  terminals: readonly PastTerminal[],
  { values, source }: Awaited<ReturnType<typeof readAllValues>>,
) => {
  const isSampled = source?.tier === null && lineIds === undefined
  const mobile = new Set(lines.filter(({ facts }) => facts?.is_mobile).map(({ id }) => id))
  return terminals
    .filter(({ id, service_line_id }) => !isSampled || !values.has(id) || mobile.has(service_line_id))
    .map(({ id }) => id)
}

/**
 * Since when there are records to rebuild from. Everything except the status has been recorded since the first line was:
 * searching all versions for the oldest would take as long as a page may.
 */
const readSince = async (db: Db, tenantId: string) => {
  const { rows } = await sql<Pick<Past, 'statusSince' | 'factsSince'>>`
    select (select noted_at from status_intervals where tenant_id = ${tenantId} order by noted_at limit 1) as "statusSince",
      (select known_at from fact_versions where tenant_id = ${tenantId} and kind = 'line'
       order by subject_id, known_at limit 1) as "factsSince"`.execute(db)
  return rows[0] as Pick<Past, 'statusSince' | 'factsSince'>
}

export interface PastState extends Known {
  past: Past
  rows: FleetRow[]
  lines: readonly PastLine[]
  terminals: readonly PastTerminal[]
}

/** Rebuilds the fleet of a tenant, or some lines of it, as it was shown at a time. */
export const readPastState = async (database: Database, moment: Moment, options: StateOptions): Promise<PastState> => {
  const { now, withDetails } = options
  requirePast(moment.at, now)
  const { tenantId, at } = moment
  const read = <T>(work: (db: Db) => Promise<T>) => database.transaction({ tenantId }, work, { isReadOnly: true })
  // On several connections at once, because sequential reads would add up. The past does not change in the meantime.
  const readingLines = read((db) => readLines(db, moment, withDetails))
  const reading = read((db) => readTerminals(db, moment))
  const measuring = reading.then((each) => read((db) => readAllValues(db, moment, each, options)))
  const ids = async () => (await reading).map(({ id }) => id)
  const reporting = Promise.all([readingLines, reading, measuring]).then((found) =>
    read((db) => readReports(db, moment, listUnreported(moment, ...found), withDetails)),
  )
  const [lines, all, statuses, reports, measured, since, details] = await Promise.all([
    readingLines,
    reading,
    ids().then((each) => read((db) => readStatuses(db, moment, each))),
    reporting,
    measuring,
    read((db) => readSince(db, tenantId)),
    withDetails ? ids().then((each) => read((db) => readDetails(db, moment, each))) : null,
  ])
  const known: Known = { statuses, reports, values: measured.values, details }
  // A terminal that was recorded only later existed if it was observed.
  const terminals = all.filter(({ id, isRecorded }) => isRecorded || statuses.get(id))
  const byLine = Map.groupBy(terminals, ({ service_line_id }) => service_line_id)
  const rows: FleetRow[] = []
  for (const line of lines) {
    const own = byLine.get(line.id) ?? []
    const facts = line.facts ?? (line.first && own.length > 0 ? toFirstName(line.first) : null)
    if (!facts || facts.is_removed) continue
    if (own.length === 0) rows.push(toRow(line, facts, null, 1, known))
    for (const [index, terminal] of own.entries()) rows.push(toRow(line, facts, terminal, index + 1, known))
  }
  const past = { at, newestAt: measured.newestAt, stepS: (measured.source?.stepMs ?? 0) / 1000, ...since }
  return { ...known, past, rows, lines, terminals }
}
