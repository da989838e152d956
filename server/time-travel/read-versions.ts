import { type RawBuilder, sql } from 'kysely'
import type { DataBlock } from '#contract/data-block.ts'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import type { FleetRow, MeasureColumns } from '../fleet/fleet-queries.ts'
import type { Db } from '../platform/database/database.ts'

type LineColumns =
  | 'nickname'
  | 'custom_name'
  | 'metadata1'
  | 'metadata2'
  | 'metadata3'
  | 'is_mobile'
  | 'latitude'
  | 'longitude'
  | 'street'
  | 'city'
  | 'state'
  | 'product_name'
  | 'opt_in_product_id'

export interface LineFacts extends Pick<FleetRow, LineColumns> {
  public_ip: boolean
  removed_at: string | null
}

interface DishFacts {
  id: number
  service_line_id: number | null
  kit_serial: string | null
  is_removed: boolean
}

interface ReportedValues extends MeasureColumns {
  uptime_s: number | null
}

/** What a terminal reported when its alerts, cell or status changed. */
export interface ReportFacts {
  at: Date
  alerts: string[] | null
  h3_cell: string | null
  /** Only where they were requested. */
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
  line: LineFacts
  address: AddressFacts
  member: { pool_id: number }
  pool: PoolFacts
  usage: UsageFacts
}

/** The time that is read, and of which lines: all unless given. */
export interface Moment {
  tenantId: string
  at: Date
  lineIds?: readonly number[]
}

/** Selects what was known of a subject then. */
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
    from unnest(${ids}::bigint[]) as given (id)`.execute(db)
  return new Map(rows.map((row) => [row.id, row.facts]))
}

/** The first known facts of lines that were recorded later only. */
const readFirstLines = async (db: Db, { tenantId }: Moment, ids: readonly number[]) => {
  if (ids.length === 0) return new Map<number, LineFacts>()
  const { rows } = await sql<{ id: number; facts: LineFacts }>`
    select distinct on (subject_id) subject_id as id, facts from fact_versions
    where tenant_id = ${tenantId} and kind = 'line' and subject_id = any(${ids}::bigint[]) and facts is not null
    order by subject_id, known_at`.execute(db)
  return new Map(rows.map((row) => [row.id, row.facts]))
}

/**
 * What was known of each subject then, of all or of the given ones. Few of them ever change, so all versions are read in one
 * sweep: backward, as the index is, because sorting them would take as long as reading them.
 */
const readAllVersions = async <Kind extends keyof FactsByKind>(
  db: Db,
  { tenantId, at }: Moment,
  kind: Kind,
  ids: readonly number[] | undefined,
) => {
  const { rows } = await sql<{ id: number; facts: FactsByKind[Kind] | null }>`
    select distinct on (subject_id) subject_id as id, facts from fact_versions
    where tenant_id = ${tenantId} and kind = ${kind} and known_at <= ${at}
      ${ids ? sql`and subject_id = any(${ids}::bigint[])` : sql``}
    order by subject_id desc, known_at desc`.execute(db)
  return new Map(rows.map((row) => [row.id, row.facts]))
}

export interface PastLine {
  id: number
  /** The present one: who may see a line is decided by the rights of now. */
  group_name: string
  service_line_number: string
  facts: LineFacts | null
  /** Set where nothing was recorded yet: its first known name, which tells the reader which line it is. */
  first: LineFacts | null
}

export const readLines = async (db: Db, moment: Moment): Promise<PastLine[]> => {
  const { tenantId, lineIds = null } = moment
  const { rows } = await sql<Omit<PastLine, 'facts' | 'first'>>`
    select id, group_name, service_line_number from service_lines
    where tenant_id = ${tenantId} and (${lineIds}::bigint[] is null or id = any(${lineIds}::bigint[]))
    order by id`.execute(db)
  const known = await readAllVersions(db, moment, 'line', moment.lineIds)
  const unknown = rows.filter(({ id }) => !known.has(id)).map(({ id }) => id)
  const first = await readFirstLines(db, moment, unknown)
  return rows.map(({ id, group_name, service_line_number }) => ({
    id,
    group_name,
    service_line_number,
    facts: known.get(id) ?? null,
    first: first.get(id) ?? null,
  }))
}

type Sql = RawBuilder<unknown>

export interface PastTerminal {
  id: number
  credential_id: number
  device_id: string
  service_line_id: number
  kit_serial: string | null
  /** Whether that is recorded of the time, and not the first that was recorded later. */
  isRecorded: boolean
}

// Columns instead of an object of JSON, which takes several times as long to read for each of 10,000 terminals.
const DISH_COLUMNS = sql`subject_id as id, line_id as service_line_id, facts ->> 'kit_serial' as kit_serial,
  facts ->> 'removed_at' is not null as is_removed`

/** The terminals that were on a line then, or on their first known line. */
export const readTerminals = async (db: Db, { tenantId, at, lineIds }: Moment): Promise<PastTerminal[]> => {
  const wasOnThem = sql`and id = any(array(
    select subject_id from fact_versions where tenant_id = ${tenantId} and line_id = any(${lineIds ?? []}::bigint[])))`
  const { rows: terminals } = await sql<Pick<PastTerminal, 'id' | 'credential_id' | 'device_id'>>`
    select id, credential_id, device_id from terminals
    where tenant_id = ${tenantId} ${lineIds ? wasOnThem : sql``}
    order by id`.execute(db)
  const readDishes = async (ids: readonly number[] | undefined, condition: Sql, order: Sql) => {
    const { rows } = await sql<DishFacts>`
      select distinct on (subject_id) ${DISH_COLUMNS} from fact_versions
      where tenant_id = ${tenantId} and kind = 'terminal' and ${condition}
        ${ids ? sql`and subject_id = any(${ids}::bigint[])` : sql``}
      order by ${order}`.execute(db)
    return new Map(rows.map((row) => [row.id, row]))
  }
  const ids = lineIds && terminals.map(({ id }) => id)
  const known = await readDishes(ids, sql`known_at <= ${at}`, sql`subject_id desc, known_at desc`)
  const unknown = terminals.filter(({ id }) => !known.has(id)).map(({ id }) => id)
  const first = unknown.length > 0 ? await readDishes(unknown, sql`true`, sql`subject_id, known_at`) : null
  const wanted = lineIds && new Set(lineIds)
  return terminals.flatMap(({ id, credential_id, device_id }) => {
    const dish = known.get(id) ?? first?.get(id)
    if (!dish || dish.service_line_id === null || dish.is_removed) return []
    const { service_line_id, kit_serial } = dish
    if (wanted && !wanted.has(service_line_id)) return []
    return [{ id, credential_id, device_id, service_line_id, kit_serial, isRecorded: known.has(id) }]
  })
}

/** What vendors' clocks may be ahead of ours. */
const CLOCK_SKEW = '1 hour'

/**
 * The statuses that were known then. Before the account was connected none was, and its history was read later: an interval
 * that goes on from there was noted at the connection only.
 */
export const readStatuses = async (db: Db, { tenantId, at }: Moment, ids: readonly number[] | null) => {
  const { rows } = await sql<{ id: number; status: TerminalStatus | null }>`
    select terminal.id, (
      select status.status from status_intervals as status
      where status.tenant_id = ${tenantId} and status.terminal_id = terminal.id
        and status.started_at <= ${at}::timestamptz + interval '${sql.raw(CLOCK_SKEW)}'
        and (status.noted_at <= ${at} or ${at} < credential.created_at and status.started_at <= ${at})
      order by status.started_at desc limit 1) as status
    from terminals as terminal
    join vendor_credentials as credential
      on credential.tenant_id = terminal.tenant_id and credential.id = terminal.credential_id
    where terminal.tenant_id = ${tenantId} and (${ids}::bigint[] is null or terminal.id = any(${ids}::bigint[]))`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row.status]))
}

const NO_ALERTS: string[] = []

/** The newest reports that were known then; their values only where they are shown. */
export const readReports = async (db: Db, moment: Moment, ids: readonly number[], withValues: boolean) => {
  const { rows } = await sql<{
    id: number
    at: string
    alerts: string | null
    h3_cell: string | null
    values?: string
  }>`
    select given.id, facts ->> 'at' as at, facts ->> 'alerts' as alerts, facts ->> 'h3_cell' as h3_cell
      ${withValues ? sql`, facts::text as values` : sql``}
    from unnest(${ids}::bigint[]) as given (id)
    cross join lateral ${selectVersion('report', 'given.id', moment)} as version`.execute(db)
  return new Map(
    rows.map(({ id, at, alerts, h3_cell, values }): [number, ReportFacts] => [
      id,
      {
        ...{ at: new Date(at), h3_cell, values: values === undefined ? null : JSON.parse(values) },
        alerts: alerts === '[]' ? NO_ALERTS : alerts && JSON.parse(alerts),
      },
    ]),
  )
}

/** What the list leaves out and the details show. */
export interface PastDetails {
  usage: ReadonlyMap<number, UsageFacts | null>
  pools: ReadonlyMap<number, PoolFacts>
  addresses: ReadonlyMap<number, AddressFacts | null>
}

export const readDetails = async (db: Db, moment: Moment, terminalIds: readonly number[]): Promise<PastDetails> => {
  const members = await readAllVersions(db, moment, 'member', moment.lineIds)
  const poolIds = new Set([...members.values()].flatMap((member) => member?.pool_id ?? []))
  const known = await readVersions(db, moment, 'pool', [...poolIds])
  const pools = new Map<number, PoolFacts>()
  for (const [lineId, member] of members) {
    const pool = member && known.get(member.pool_id)
    if (pool) pools.set(lineId, pool)
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
