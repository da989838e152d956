import type { FleetRow, MeasureColumns } from '../fleet/fleet-queries.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { requirePast } from '../platform/past.ts'
import { findSource, type PastValues, readObservedUntil, readValues } from './past-values.ts'
import {
  type LineFacts,
  type Moment,
  type PastDetails,
  type PastLine,
  type PastTerminal,
  readDetails,
  readLines,
  readTerminals,
} from './read-versions.ts'

const NO_VALUES: MeasureColumns = {
  obstruction: null,
  signal_quality: null,
  ping_drop: null,
  latency_ms: null,
  uplink_mbps: null,
  downlink_mbps: null,
}

const NOTHING_KNOWN = {
  is_mobile: false,
  latitude: null,
  longitude: null,
  street: null,
  city: null,
  state: null,
  product_name: null,
  opt_in_product_id: null,
  public_ip: false,
  metadata1: null,
  metadata2: null,
  metadata3: null,
  removed_at: null,
}

/** What was known of a line. Where nothing was recorded yet, only which one it is. */
const getFacts = ({ facts, first }: PastLine): LineFacts | null =>
  facts ?? (first && { ...NOTHING_KNOWN, nickname: first.nickname, custom_name: first.custom_name })

/** The newer of the last recorded report and the stored values: a tier has those of a whole bucket. */
const pickValues = ({ report }: PastTerminal, values: PastValues | undefined) => {
  const reportedAt = report && new Date(report.at)
  if (values && (!reportedAt || values.at >= reportedAt)) return { at: values.at, values }
  return report ? { at: reportedAt, values: report } : { at: null, values: NO_VALUES }
}

export interface PastState {
  rows: FleetRow[]
  lines: readonly PastLine[]
  terminals: readonly (PastTerminal & { row: FleetRow })[]
  details: PastDetails | null
  /** When the newest row before that time was measured; null if nothing was observed in the days before. */
  newestAt: Date | null
  stepMs: number
}

interface Found {
  values: ReadonlyMap<number, PastValues>
  details: PastDetails | null
}

const toRow = (
  line: PastLine,
  facts: LineFacts,
  terminal: PastTerminal | undefined,
  place: number,
  { values, details }: Found,
): FleetRow => {
  const { removed_at: _, public_ip: __, ...known } = facts
  const usage = details?.usage.get(line.id)
  const pool = details?.pools.get(line.id)
  const address = terminal && details?.addresses.get(terminal.id)
  const found = terminal ? values.get(terminal.id) : undefined
  const newest = terminal ? pickValues(terminal, found) : { at: null, values: NO_VALUES }
  const { obstruction, signal_quality, ping_drop, latency_ms, uplink_mbps, downlink_mbps } = newest.values
  return {
    line_id: line.id,
    group_name: line.group_name,
    service_line_number: line.service_line_number,
    ...known,
    device_id: terminal?.device_id ?? null,
    kit_serial: terminal?.facts?.kit_serial ?? null,
    place,
    status: terminal?.status ?? null,
    alerts: terminal?.report?.alerts ?? found?.alerts ?? null,
    h3_cell: terminal?.report?.h3_cell ?? null,
    at: newest.at,
    ...{ obstruction, signal_quality, ping_drop, latency_ms, uplink_mbps, downlink_mbps },
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
    // A pool that was another customer's, because the line changed hands since, is for administrators only.
    pool_group: pool?.group_name === line.group_name ? line.group_name : null,
    pool_used_gb: pool?.used_gb ?? null,
    pool_limit_gb: pool ? pool.usage_limit_gb + pool.top_up_gb : null,
  }
}

/** The values of all terminals that any of the accounts had observed by then. */
const readAllValues = async (db: Db, { tenantId, at }: Moment, terminals: readonly PastTerminal[], now: Date) => {
  const source = findSource(at, now)
  const observedUntil = await readObservedUntil(db, tenantId, at)
  const values = new Map<number, PastValues>()
  for (const [credentialId, toMs] of observedUntil) {
    const ids = terminals.filter(({ credential_id }) => credential_id === credentialId).map(({ id }) => id)
    if (!source || ids.length === 0) continue
    for (const [id, row] of await readValues(db, tenantId, { ids, toMs, tier: source.tier })) values.set(id, row)
  }
  const newestMs = Math.max(...observedUntil.values())
  return { values, newestAt: Number.isFinite(newestMs) ? new Date(newestMs) : null, stepMs: source?.stepMs ?? 0 }
}

/** Rebuilds the fleet of a tenant, or some lines of it, as it was shown at a time. */
export const readPastState = async (
  database: Database,
  moment: Moment,
  { now, withDetails }: { now: Date; withDetails: boolean },
): Promise<PastState> => {
  requirePast(moment.at, now)
  const { tenantId } = moment
  const read = <T>(work: (db: Db) => Promise<T>) => database.transaction({ tenantId }, work, { isReadOnly: true })
  // On two connections at once, because in sequence they would take the sum of both.
  const [{ lines, usable }, { terminals, measured }] = await Promise.all([
    read(async (db) => {
      const lines = await readLines(db, moment)
      return { lines, usable: new Map(lines.map((line) => [line.id, getFacts(line)])) }
    }),
    read(async (db) => {
      const terminals = await readTerminals(db, moment)
      return { terminals, measured: await readAllValues(db, moment, terminals, now) }
    }),
  ])
  const details = withDetails
    ? await read((db) =>
        readDetails(db, moment, { lines: [...usable.keys()], terminals: terminals.map(({ id }) => id) }),
      )
    : null
  const byLine = Map.groupBy(terminals, ({ facts }) => facts?.service_line_id ?? 0)
  const rows: FleetRow[] = []
  const shown: (PastTerminal & { row: FleetRow })[] = []
  const found = { values: measured.values, details }
  for (const line of lines) {
    const facts = usable.get(line.id)
    const own = byLine.get(line.id) ?? []
    // A line that was recorded later only is there if one of its terminals was observed.
    if (!facts || facts.removed_at !== null || (line.facts === null && own.length === 0)) continue
    for (const [index, terminal] of own.entries()) {
      const row = toRow(line, facts, terminal, index + 1, found)
      rows.push(row)
      shown.push({ ...terminal, row })
    }
    if (own.length === 0) rows.push(toRow(line, facts, undefined, 1, found))
  }
  return { rows, lines, terminals: shown, details, newestAt: measured.newestAt, stepMs: measured.stepMs }
}
