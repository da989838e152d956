import { sql } from 'kysely'
import type { DataBlock } from '#contract/data-block.ts'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import type { MeasureColumns } from '../fleet/fleet-queries.ts'
import type { Db } from '../platform/database/database.ts'

export interface LineFacts {
  nickname: string
  custom_name: string | null
  metadata1: string | null
  metadata2: string | null
  metadata3: string | null
  is_mobile: boolean
  latitude: number | null
  longitude: number | null
  street: string | null
  city: string | null
  state: string | null
  product_name: string | null
  opt_in_product_id: string | null
  public_ip: boolean
  removed_at: string | null
}

interface DishFacts {
  service_line_id: number | null
  kit_serial: string | null
  removed_at: string | null
}

export interface ReportFacts extends MeasureColumns {
  at: string
  alerts: string[]
  h3_cell: string | null
  uptime_s: number | null
}

export interface AddressFacts {
  ipv4: string[]
  ipv6_ue: string[]
  ipv6_cpe: string[]
}

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
  terminal: DishFacts
  report: ReportFacts
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
const selectVersion = (kind: keyof FactsByKind, subject: string, { tenantId, at }: Moment) => sql`(
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

/** The first known facts of subjects that were recorded later only. */
const readFirstVersions = async <Kind extends keyof FactsByKind>(
  db: Db,
  { tenantId }: Moment,
  kind: Kind,
  ids: readonly number[],
) => {
  if (ids.length === 0) return new Map<number, FactsByKind[Kind]>()
  const { rows } = await sql<{ id: number; facts: FactsByKind[Kind] }>`
    select distinct on (subject_id) subject_id as id, facts from fact_versions
    where tenant_id = ${tenantId} and kind = ${kind} and subject_id = any(${ids}::bigint[]) and facts is not null
    order by subject_id, known_at`.execute(db)
  return new Map(rows.map((row) => [row.id, row.facts]))
}

/** What was known of each subject then. Few of them ever change, so all versions are read in one sweep. */
const readAllVersions = async <Kind extends keyof FactsByKind>(
  db: Db,
  { tenantId, at, lineIds }: Moment,
  kind: Kind,
) => {
  const { rows } = await sql<{ id: number; facts: FactsByKind[Kind] | null }>`
    select distinct on (subject_id) subject_id as id, facts from fact_versions
    where tenant_id = ${tenantId} and kind = ${kind} and known_at <= ${at}
      and (${kind !== 'line' || !lineIds} or subject_id = any(${lineIds ?? []}::bigint[]))
    order by subject_id, known_at desc`.execute(db)
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
  const known = await readAllVersions(db, moment, 'line')
  const unknown = rows.filter(({ id }) => !known.has(id)).map(({ id }) => id)
  const first = await readFirstVersions(db, moment, 'line', unknown)
  return rows.map(({ id, group_name, service_line_number }) => ({
    id,
    group_name,
    service_line_number,
    facts: known.get(id) ?? null,
    first: first.get(id) ?? null,
  }))
}

export interface PastTerminal {
  id: number
  credential_id: number
  device_id: string
  service_line_id: number
  kit_serial: string | null
  /** Whether that is recorded of the time, and not the first that was recorded later. */
  isRecorded: boolean
}

/** The terminals that were on a line then, or on their first known line. */
export const readTerminals = async (db: Db, moment: Moment): Promise<PastTerminal[]> => {
  const { rows } = await sql<Pick<PastTerminal, 'id' | 'credential_id' | 'device_id'>>`
    select id, credential_id, device_id from terminals where tenant_id = ${moment.tenantId} order by id`.execute(db)
  const known = await readAllVersions(db, moment, 'terminal')
  const unknown = rows.filter(({ id }) => !known.has(id)).map(({ id }) => id)
  const first = await readFirstVersions(db, moment, 'terminal', unknown)
  const wanted = moment.lineIds && new Set(moment.lineIds)
  return rows.flatMap(({ id, credential_id, device_id }) => {
    const facts = known.get(id) ?? first.get(id)
    if (!facts || facts.service_line_id === null || facts.removed_at !== null) return []
    const { service_line_id, kit_serial } = facts
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
      where status.tenant_id = ${tenantId} and status.terminal_id = terminal.id and (
        status.noted_at <= ${at} and status.started_at <= ${at}::timestamptz + interval '${sql.raw(CLOCK_SKEW)}'
        or ${at} < credential.created_at and status.started_at <= ${at})
      order by status.started_at desc limit 1) as status
    from terminals as terminal
    join vendor_credentials as credential
      on credential.tenant_id = terminal.tenant_id and credential.id = terminal.credential_id
    where terminal.tenant_id = ${tenantId} and (${ids}::bigint[] is null or terminal.id = any(${ids}::bigint[]))`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row.status]))
}

export const readReports = (db: Db, moment: Moment, ids: readonly number[]) => readVersions(db, moment, 'report', ids)

/** What the list leaves out and the details show. */
export interface PastDetails {
  usage: ReadonlyMap<number, UsageFacts | null>
  pools: ReadonlyMap<number, PoolFacts>
  addresses: ReadonlyMap<number, AddressFacts | null>
}

export const readDetails = async (db: Db, moment: Moment, terminalIds: readonly number[]): Promise<PastDetails> => {
  const members = await readAllVersions(db, moment, 'member')
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
