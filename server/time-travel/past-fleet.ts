import { sql } from 'kysely'
import type { Past } from '#contract/past.ts'
import type { FleetRow } from '../fleet/fleet-queries.ts'
import type { ListRow } from '../fleet/wire-item.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { requirePast } from '../platform/past.ts'
import { buildRows, type KnownFleet, toListRow, toRow } from './past-rows.ts'
import { findSource, type PastValues, readObservedUntil, readValues } from './past-values.ts'
import { readStatuses } from './read-statuses.ts'
import {
  listTerminalIds,
  type Moment,
  type PastLine,
  type PastTerminal,
  readDetails,
  readLines,
  readReports,
  readTerminals,
} from './read-versions.ts'

interface StateOptions {
  now: Date
  /** The parts that are not in the list: values, usage, pools and addresses. */
  withDetails: boolean
}

/** The values of terminals that any of the accounts had observed by then. */
const readAllValues = async (
  database: Database,
  { tenantId, at }: Moment,
  ids: ReadonlyMap<number, readonly number[]>,
  { now, withDetails }: StateOptions,
) => {
  const source = findSource(at, now)
  const observedUntil = await database.transaction({ tenantId }, (db) => readObservedUntil(db, tenantId, at), {
    isReadOnly: true,
  })
  const values = new Map<number, PastValues>()
  for (const [credentialId, toMs] of observedUntil) {
    const own = ids.get(credentialId)
    if (!source || own === undefined) continue
    const wanted = { ids: own, toMs, tier: source.tier, withMeasures: withDetails }
    const read = await readValues(database.reader({ tenantId }), tenantId, wanted)
    for (const [id, row] of read) values.set(id, row)
  }
  const newestMs = Math.max(...observedUntil.values())
  return { values, newestAt: Number.isFinite(newestMs) ? new Date(newestMs) : null, source }
}

/**
 * The terminals whose sample is not enough, or missing. A sample has the same content as the report before it, except for the
 * position, which only mobile lines show, and the uptime, which only the terminal's page shows.
 */
const listUnsampled = (
  lines: readonly PastLine[],
  terminals: readonly PastTerminal[],
  { values }: Awaited<ReturnType<typeof readAllValues>>,
) => {
  const mobile = new Set(lines.filter(({ facts }) => facts?.is_mobile).map(({ id }) => id))
  return terminals
    .filter(({ id, service_line_id }) => !values.has(id) || mobile.has(service_line_id))
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

export interface PastState extends KnownFleet {
  rows: FleetRow[]
}

const readKnown = async (database: Database, moment: Moment, options: StateOptions): Promise<KnownFleet> => {
  const { now, withDetails } = options
  requirePast(moment.at, now)
  const { tenantId, at } = moment
  const read = <T>(work: (db: Db) => Promise<T>) => database.transaction({ tenantId }, work, { isReadOnly: true })
  // On several connections at once, because sequential reads would add up. The past does not change in the meantime.
  // What is searched for each terminal takes longest, so it begins first. Lines and terminals arrive meanwhile.
  const listing = read((db) => listTerminalIds(db, moment))
  const ids = listing.then((byAccount) => [...byAccount.values()].flat())
  const measuring = listing.then((byAccount) => readAllValues(database, moment, byAccount, options))
  const readingLines = read((db) => readLines(db, moment, withDetails))
  const reading = read((db) => readTerminals(db, moment))
  // Tier buckets do not say when alerts began and ended.
  const isSampled = findSource(at, now)?.tier === null && moment.lineIds === undefined
  const unreported = isSampled
    ? Promise.all([readingLines, reading, measuring]).then((found) => listUnsampled(...found))
    : ids
  const [lines, all, statuses, reports, measured, since, details] = await Promise.all([
    readingLines,
    reading,
    ids.then((each) => read((db) => readStatuses(db, moment, each))),
    unreported.then((each) => read((db) => readReports(db, moment, each, withDetails))),
    measuring,
    read((db) => readSince(db, tenantId)),
    withDetails ? ids.then((each) => read((db) => readDetails(db, moment, each))) : null,
  ])
  // A terminal that was recorded only later existed if it was observed.
  const terminals = all.filter(({ id, isRecorded }) => isRecorded || statuses.has(id))
  const past = { at, newestAt: measured.newestAt, stepS: (measured.source?.stepMs ?? 0) / 1000, ...since }
  return { statuses, reports, values: measured.values, details, past, lines, terminals }
}

/** Rebuilds the fleet of a tenant, or some lines of it, as it was shown at a time. */
export const readPastState = async (database: Database, moment: Moment, now: Date): Promise<PastState> => {
  const known = await readKnown(database, moment, { now, withDetails: true })
  return { ...known, rows: buildRows(known, toRow) }
}

/** The same with only what the list shows. */
export const readPastList = async (
  database: Database,
  moment: Moment,
  now: Date,
): Promise<{ past: Past; rows: ListRow[] }> => {
  const known = await readKnown(database, moment, { now, withDetails: false })
  return { past: known.past, rows: buildRows(known, toListRow) }
}
