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
  const { rows } = await sql<Omit<PastLine, 'first'>>`
    select line.id, line.group_name, line.service_line_number, ${selectVersion('line', 'line.id', moment)} as facts
    from service_lines as line
    where line.tenant_id = ${moment.tenantId}
      and (${moment.lineIds ?? null}::bigint[] is null or line.id = any(${moment.lineIds ?? null}::bigint[]))
    order by line.id`.execute(db)
  const unknown = rows.filter(({ facts }) => facts === null).map(({ id }) => id)
  const first = await readFirstVersions(db, moment, 'line', unknown)
  return rows.map((row) => ({ ...row, first: first.get(row.id) ?? null }))
}

export interface PastTerminal {
  id: number
  credential_id: number
  device_id: string
  facts: DishFacts | null
  report: ReportFacts | null
  status: TerminalStatus | null
}

/** What vendors' clocks may be ahead of ours. */
const CLOCK_SKEW = '1 hour'

/** Terminals that were on one of the lines at any time. */
const wasOn = ({ tenantId, lineIds }: Moment) =>
  lineIds
    ? sql`and terminal.id in (
        select subject_id from fact_versions
        where tenant_id = ${tenantId} and kind = 'terminal' and (facts ->> 'service_line_id')::bigint = any(${lineIds}::bigint[]))`
    : sql``

export const readTerminals = async (db: Db, moment: Moment): Promise<PastTerminal[]> => {
  const { tenantId, at } = moment
  const { rows } = await sql<PastTerminal>`
    select terminal.id, terminal.credential_id, terminal.device_id,
      ${selectVersion('terminal', 'terminal.id', moment)} as facts,
      ${selectVersion('report', 'terminal.id', moment)} as report,
      (select status.status from status_intervals as status
       where status.tenant_id = ${tenantId} and status.terminal_id = terminal.id and status.noted_at <= ${at}
         and status.started_at <= ${at}::timestamptz + interval '${sql.raw(CLOCK_SKEW)}'
       order by status.started_at desc limit 1) as status
    from terminals as terminal
    where terminal.tenant_id = ${tenantId} ${wasOn(moment)}
    order by terminal.id`.execute(db)
  const unknown = rows.filter(({ facts }) => facts === null).map(({ id }) => id)
  const first = await readFirstVersions(db, moment, 'terminal', unknown)
  const wanted = moment.lineIds && new Set(moment.lineIds)
  return rows.flatMap((row) => {
    // A terminal that was observed belonged to some line, most likely to its first known one.
    const facts = row.facts ?? (row.status === null ? null : (first.get(row.id) ?? null))
    if (!facts || facts.service_line_id === null || facts.removed_at !== null) return []
    return wanted && !wanted.has(facts.service_line_id) ? [] : [{ ...row, facts }]
  })
}

/** What the list leaves out and the details show. */
export interface PastDetails {
  usage: ReadonlyMap<number, UsageFacts | null>
  pools: ReadonlyMap<number, PoolFacts>
  addresses: ReadonlyMap<number, AddressFacts | null>
}

export const readDetails = async (
  db: Db,
  moment: Moment,
  ids: { lines: readonly number[]; terminals: readonly number[] },
): Promise<PastDetails> => {
  const usage = await readVersions(db, moment, 'usage', ids.lines)
  const addresses = await readVersions(db, moment, 'address', ids.terminals)
  const members = await readVersions(db, moment, 'member', ids.lines)
  const poolIds = new Set([...members.values()].flatMap((member) => member?.pool_id ?? []))
  const known = await readVersions(db, moment, 'pool', [...poolIds])
  const pools = new Map<number, PoolFacts>()
  for (const [lineId, member] of members) {
    const pool = member && known.get(member.pool_id)
    if (pool) pools.set(lineId, pool)
  }
  return { usage, addresses, pools }
}
