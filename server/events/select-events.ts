import { type RawBuilder, sql } from 'kysely'
import type { EventKind } from '#contract/events.ts'
import { parseCursor } from './event-cursor.ts'

export interface EventRow {
  id: number
  kind: EventKind
  type: string
  at: Date
  noted_at: Date
  service_line_id: number | null
  pool_id: number | null
  incident_id: string | null
  details: Record<string, unknown>
}

interface Selection {
  kinds: readonly EventKind[]
  before: string | undefined
  after: string | undefined
  at: Date | undefined
  /** Part of the text, because the planner has to know it. */
  limit: number
  /** Whether the user may manage pools. */
  seesPools: boolean
}

const LINE_KINDS: readonly EventKind[] = ['status', 'alert', 'command', 'pool']

const columns = sql`event.id, event.kind, event.type, event.at, event.noted_at, event.service_line_id, event.pool_id,
  event.incident_id, event.details`

/**
 * Row-level security hides other groups' lines, pools and incidents, and their events with them. Each is looked up by its
 * key: for `exists`, the planner would read all of them.
 */
const isVisible = (seesPools: boolean) => sql`case
  when event.service_line_id is not null then (
    select line.removed_at is null from service_lines as line
    where line.tenant_id = event.tenant_id and line.id = event.service_line_id)
  when event.incident_id is not null then (
    select true from incidents as incident where incident.tenant_id = event.tenant_id and incident.id = event.incident_id)
  else ${seesPools} and (
    select true from pools as pool where pool.tenant_id = event.tenant_id and pool.id = event.pool_id) end`

/** An incident has a row for each affected group, and one for users who see everything. */
const isForGroup = (group: string | undefined) =>
  group === undefined ? sql`(event.incident_id is null or event.group_name is null)` : sql`event.group_name = ${group}`

const buildBounds = ({ before, after, at }: Selection) => {
  const compare = (place: string, operator: RawBuilder<unknown>) => {
    const { notedAt, id } = parseCursor(place)
    return sql`and (event.noted_at, event.id) ${operator} (${notedAt}::timestamptz, ${id}::bigint)`
  }
  return sql`and event.noted_at is not null ${before === undefined ? sql`` : compare(before, sql`<`)}
    ${after === undefined ? sql`` : compare(after, sql`>`)} ${at === undefined ? sql`` : sql`and event.noted_at <= ${at}`}`
}

/** The newest of one index range. Each is read by its key, and no more rows than a page has. */
const selectNewest = (tenantId: string, selection: Selection, where: RawBuilder<unknown>) => sql`
  select ${columns} from events as event
  where event.tenant_id = ${tenantId} and ${where} ${buildBounds(selection)} and ${isVisible(selection.seesPools)}
  order by event.noted_at desc, event.id desc
  limit ${sql.lit(selection.limit)}`

const selectByKind = (tenantId: string, selection: Selection, where: RawBuilder<unknown>) => sql`
  select found.* from unnest(${selection.kinds}::text[]) as wanted (kind)
  cross join lateral (${selectNewest(tenantId, selection, sql`event.kind = wanted.kind and ${where}`)}) as found`

const selectOfLine = (tenantId: string, selection: Selection, lineId: number) => sql`
  (${selectNewest(tenantId, selection, sql`event.service_line_id = ${lineId} and event.kind = any(${selection.kinds}::text[])`)})`

const merge = ({ limit }: Selection, parts: RawBuilder<unknown>[]) => sql<EventRow>`
  select * from (${sql.join(parts, sql` union all `)}) as event
  order by noted_at desc, id desc
  limit ${sql.lit(limit)}`

const pick = (kinds: readonly EventKind[], among: readonly EventKind[]) => kinds.filter((kind) => among.includes(kind))

/** All events that the user may see. `group` is undefined for users who see all lines of the tenant. */
export const buildFleetEventsQuery = (
  tenantId: string,
  group: string | undefined,
  selection: Selection,
): RawBuilder<EventRow> => merge(selection, [selectByKind(tenantId, selection, isForGroup(group))])

/** Events of one line, of its incidents, and of its pool. */
export const buildLineEventsQuery = (
  tenantId: string,
  group: string | undefined,
  line: { id: number; terminalIds: readonly number[] },
  selection: Selection,
): RawBuilder<EventRow> => {
  const { kinds } = selection
  const isOfTerminal = sql`terminal_id = any(${line.terminalIds}::bigint[])`
  const parts = [selectOfLine(tenantId, { ...selection, kinds: pick(kinds, LINE_KINDS) }, line.id)]
  if (kinds.includes('incident'))
    parts.push(sql`
      select found.* from (
        select incident_id as id from terminal_losses where tenant_id = ${tenantId} and ${isOfTerminal}
        union
        select id from incidents where tenant_id = ${tenantId} and ${isOfTerminal}) as concerned
      cross join lateral (
        ${selectNewest(tenantId, selection, sql`event.incident_id = concerned.id and ${isForGroup(group)}`)}) as found`)
  if (kinds.includes('pool') && selection.seesPools)
    parts.push(
      sql`(${selectNewest(
        tenantId,
        selection,
        sql`event.pool_id = (select pool_id from pool_lines where tenant_id = ${tenantId} and service_line_id = ${line.id})`,
      )})`,
    )
  return merge(selection, parts)
}
