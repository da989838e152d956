import { sql } from 'kysely'
import type { DataBlock } from '#contract/data-block.ts'
import type { FleetRow, MeasureColumns } from '../fleet/fleet-queries.ts'
import type { Db } from '../platform/database/database.ts'
import { toIdArray } from '../platform/database/id-array.ts'
import { readInColumns } from '../platform/database/read-in-columns.ts'

const LIST_COLUMNS = [
  'nickname',
  'custom_name',
  'is_mobile',
  'latitude',
  'longitude',
  'street',
  'city',
  'state',
] as const
const DETAIL_COLUMNS = ['metadata1', 'metadata2', 'metadata3', 'product_name', 'opt_in_product_id'] as const

export interface LineFacts
  extends Pick<FleetRow, (typeof LIST_COLUMNS)[number]>,
    Partial<Pick<FleetRow, (typeof DETAIL_COLUMNS)[number]>> {
  public_ip?: boolean
  is_removed: boolean
}

type RecordedLine = Omit<LineFacts, 'is_removed'> & { removed_at: string | null }

interface DishFacts {
  service_line_id: number | null
  kit_serial: string | null
  removed_at: string | null
}

interface ReportedValues extends MeasureColumns {
  uptime_s: number | null
}

/** What a terminal reported when its alerts, cell or status changed. */
export interface ReportFacts {
  at: Date
  alerts: string[] | null
  h3_cell: string | null
  /** Only if requested. */
  values: ReportedValues | null
}

type AddressFacts = Pick<FleetRow, 'ipv4' | 'ipv6_ue' | 'ipv6_cpe'>

interface PoolFacts {
  name: string
  group_name: string | null
  used_gb: number
  usage_limit_gb: number
  top_up_gb: number
}

export interface UsageFacts {
  cycle_start: string
  cycle_end: string
  priority_gb: number
  standard_gb: number
  usage_limit_gb: number | null
  data_blocks: DataBlock[]
}

interface FactsByKind {
  line: RecordedLine
  terminal: DishFacts
  address: AddressFacts
  pool: PoolFacts
  usage: UsageFacts
}

/** The time to read, and the lines: all by default. */
export interface Moment {
  tenantId: string
  at: Date
  lineIds?: readonly number[]
}

/** Selects the version of a subject at that time. */
const selectVersion = (kind: keyof FactsByKind | 'report', subject: string, { tenantId, at }: Moment) => sql`(
  select facts from fact_versions as version
  where version.tenant_id = ${tenantId} and version.kind = ${sql.lit(kind)} and version.subject_id = ${sql.ref(subject)}
    and version.known_at <= ${at}
  order by version.known_at desc limit 1)`

const readVersions = async <Kind extends keyof FactsByKind>(
  db: Db,
  moment: Moment,
  kind: Kind,
  ids: readonly number[],
): Promise<Map<number, FactsByKind[Kind] | null>> => {
  const { rows } = await sql<{ id: number; facts: FactsByKind[Kind] | null }>`
    select given.id, ${selectVersion(kind, 'given.id', moment)} as facts
    from unnest(${toIdArray(ids)}) as given (id)`.execute(db)
  return new Map(rows.map((row) => [row.id, row.facts]))
}

interface Recorded<Facts> {
  /** What was known then; null if nothing was. */
  facts: Facts | null
  /** If nothing was known then, the first later record. */
  first: Facts | null
}

/**
 * The versions of subjects that have changed since. All others were as they are now, and reading their own table takes a
 * fraction of the time of reading versions. Not for reports, which change many times a day.
 */
const readChanged = async <Kind extends 'line' | 'terminal'>(
  db: Db,
  moment: Moment,
  kind: Kind,
  ids: readonly number[],
): Promise<Map<number, Recorded<FactsByKind[Kind]>>> => {
  const { tenantId, at, lineIds } = moment
  const versions = sql`fact_versions as version
    where version.tenant_id = ${tenantId} and version.kind = ${sql.lit(kind)}`
  const changed = sql`select distinct subject_id as id from ${versions} and version.known_at > ${at}
    ${lineIds ? sql`and version.subject_id = any(${toIdArray(ids)})` : sql``}`
  // A backup of an older release has no versions to compare with.
  const { rows: recorded } = await sql`select from ${versions} and version.known_at <= ${at} limit 1`.execute(db)
  const given = recorded.length > 0 ? changed : sql`select id from unnest(${toIdArray(ids)}) as each (id)`
  // Without the offset, the planner would search for each version twice: for the condition and for the result.
  const known = sql`select given.id, ${selectVersion(kind, 'given.id', moment)} as facts from (${given}) as given offset 0`
  const { rows } = await sql<{ id: number } & Recorded<FactsByKind[Kind]>>`
    select id, facts, case when facts is null then (
      select version.facts from ${versions} and version.subject_id = known.id order by version.known_at limit 1) end as first
    from (${known}) as known`.execute(db)
  return new Map(rows.map(({ id, facts, first }) => [id, { facts, first }]))
}

export interface PastLine {
  id: number
  /** The current group, because current permissions decide who may see a line. */
  group_name: string
  service_line_number: string
  facts: LineFacts | null
  /** Set if nothing was recorded yet: the first known name, to identify the line. */
  first: LineFacts | null
}

const toLineFacts = ({ removed_at, ...facts }: RecordedLine): LineFacts => ({
  ...facts,
  is_removed: removed_at !== null,
})

export const readLines = async (db: Db, moment: Moment, withDetails: boolean): Promise<PastLine[]> => {
  const { tenantId, lineIds } = moment
  const details = withDetails ? ([...DETAIL_COLUMNS, 'public_ip'] as const) : []
  const rows = await readInColumns<LineFacts & Pick<PastLine, 'id' | 'group_name' | 'service_line_number'>>(
    db,
    ['id', 'group_name', 'service_line_number', 'is_removed', ...LIST_COLUMNS, ...details],
    sql`select *, removed_at is not null as is_removed from service_lines
      where tenant_id = ${tenantId} ${lineIds ? sql`and id = any(${toIdArray(lineIds)})` : sql``}
      order by id`,
  )
  const ids = rows.map(({ id }) => id)
  const changed = await readChanged(db, moment, 'line', ids)
  return rows.map((row) => {
    const { id, group_name, service_line_number } = row
    const past = changed.get(id)
    if (!past) return { id, group_name, service_line_number, facts: row, first: null }
    const { facts, first } = past
    return {
      id,
      group_name,
      service_line_number,
      facts: facts && toLineFacts(facts),
      first: first && toLineFacts(first),
    }
  })
}

export interface PastTerminal {
  id: number
  credential_id: number
  device_id: string
  service_line_id: number
  kit_serial: string | null
  /** Whether it was recorded by then, rather than taken from the first later record. */
  isRecorded: boolean
}

/** Restricts terminals to those that have ever been on the lines of the moment, if it names any. */
const wereOnLines = ({ tenantId, lineIds }: Moment) =>
  lineIds
    ? sql`and id = any(array(
        select subject_id from fact_versions where tenant_id = ${tenantId} and line_id = any(${toIdArray(lineIds)})))`
    : sql``

/** The terminals that were on a line then, or on their first known line. */
export const readTerminals = async (db: Db, moment: Moment): Promise<PastTerminal[]> => {
  const { tenantId, lineIds } = moment
  const rows = await readInColumns<DishFacts & Pick<PastTerminal, 'id' | 'credential_id' | 'device_id'>>(
    db,
    ['id', 'credential_id', 'device_id', 'service_line_id', 'kit_serial', 'removed_at'],
    sql`select * from terminals where tenant_id = ${tenantId} ${wereOnLines(moment)} order by id`,
  )
  const ids = rows.map(({ id }) => id)
  const changed = await readChanged(db, moment, 'terminal', ids)
  const terminals: PastTerminal[] = []
  for (const row of rows) {
    const { id, credential_id, device_id } = row
    const past = changed.get(id)
    const dish = past ? (past.facts ?? past.first) : row
    if (!dish || dish.service_line_id === null || dish.removed_at !== null) continue
    const { service_line_id, kit_serial } = dish
    if (lineIds && !lineIds.includes(service_line_id)) continue
    const isRecorded = !past || past.facts !== null
    terminals.push({ id, credential_id, device_id, service_line_id, kit_serial, isRecorded })
  }
  return terminals
}

const REMOVED_SINCE = sql`interval '1 hour'`

/**
 * The ids of terminals that may have been on a line then, by account: enough to search for what is known about them before the
 * rest is read. The margin is for removals that were recorded a moment after their date.
 */
export const listTerminalIds = async (db: Db, moment: Moment): Promise<Map<number, number[]>> => {
  const { tenantId, at } = moment
  const { rows } = await sql<{ credential_id: number; ids: number[] }>`
    select credential_id, json_agg(id) as ids from terminals
    where tenant_id = ${tenantId} and (removed_at is null or removed_at > ${at}::timestamptz - ${REMOVED_SINCE})
      ${wereOnLines(moment)}
    group by credential_id`.execute(db)
  return new Map(rows.map(({ credential_id, ids }) => [credential_id, ids]))
}

const NO_ALERTS: string[] = []

/** The newest reports that were known then; their values only if they are shown. */
export const readReports = async (db: Db, moment: Moment, ids: readonly number[], withValues: boolean) => {
  const rows = await readInColumns<{
    id: number
    at: string
    alerts: string | null
    h3_cell: string | null
    facts?: ReportedValues
  }>(
    db,
    ['id', 'at', 'alerts', 'h3_cell', ...(withValues ? (['facts'] as const) : [])],
    sql`select given.id, facts ->> 'at' as at, facts ->> 'alerts' as alerts, facts ->> 'h3_cell' as h3_cell, facts
      from unnest(${toIdArray(ids)}) as given (id)
      cross join lateral ${selectVersion('report', 'given.id', moment)} as version`,
  )
  return new Map(
    rows.map(({ id, at, alerts, h3_cell, facts }): [number, ReportFacts] => [
      id,
      {
        at: new Date(at),
        h3_cell,
        values: facts ?? null,
        alerts: alerts === '[]' ? NO_ALERTS : alerts && JSON.parse(alerts),
      },
    ]),
  )
}

/** The parts that are in the details but not in the list. */
export interface PastDetails {
  usage: ReadonlyMap<number, UsageFacts | null>
  pools: ReadonlyMap<number, PoolFacts>
  addresses: ReadonlyMap<number, AddressFacts | null>
}

/** The lines that were in a pool. They are few and rarely change, so all versions are read in one scan. */
const readMembers = async (db: Db, { tenantId, at, lineIds }: Moment) => {
  const { rows } = await sql<{ line_id: number; pool_id: number }>`
    select line_id, pool_id from (
      select distinct on (subject_id) subject_id as line_id, (facts ->> 'pool_id')::bigint as pool_id from fact_versions
      where tenant_id = ${tenantId} and kind = 'member' and known_at <= ${at}
        ${lineIds ? sql`and subject_id = any(${toIdArray(lineIds)})` : sql``}
      order by subject_id desc, known_at desc) as member
    where pool_id is not null`.execute(db)
  return rows
}

export const readDetails = async (db: Db, moment: Moment, terminalIds: readonly number[]): Promise<PastDetails> => {
  const members = await readMembers(db, moment)
  const known = await readVersions(db, moment, 'pool', [...new Set(members.map(({ pool_id }) => pool_id))])
  const pools = new Map<number, PoolFacts>()
  for (const { line_id, pool_id } of members) {
    const pool = known.get(pool_id)
    if (pool) pools.set(line_id, pool)
  }
  const { rows } = await sql<{ id: number }>`
    select id from service_lines where tenant_id = ${moment.tenantId}
      and (${moment.lineIds ?? null}::bigint[] is null or id = any(${moment.lineIds ?? null}::bigint[]))`.execute(db)
  const lineIds = rows.map(({ id }) => id)
  return {
    usage: await readVersions(db, moment, 'usage', lineIds),
    addresses: await readVersions(db, moment, 'address', terminalIds),
    pools,
  }
}
