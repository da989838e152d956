import { type RawBuilder, sql } from 'kysely'
import type { EventKind } from '#contract/events.ts'
import type { Db } from '../platform/database/database.ts'
import { parsePlace } from './place.ts'

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
  limit: number
  /** Pools are for those who may manage them. */
  seesPools: boolean
}

const LINE_KINDS: readonly EventKind[] = ['status', 'alert', 'command', 'pool']
const OTHER_KINDS: readonly EventKind[] = ['incident', 'pool']
/** So many lines are looked up one by one. A group with more of them has a good part of what happens to the tenant. */
const MOST_LINES = 300

const columns = sql`event.id, event.kind, event.type, event.at, event.noted_at, event.service_line_id, event.pool_id,
  event.incident_id, event.details`

/** Row-level security hides the lines, pools and incidents of others, and what happened to them with it. */
const isVisible = (seesPools: boolean) => sql`case
  when event.service_line_id is not null then exists (
    select from service_lines as line
    where line.tenant_id = event.tenant_id and line.id = event.service_line_id and line.removed_at is null)
  when event.incident_id is not null then exists (
    select from incidents as incident where incident.tenant_id = event.tenant_id and incident.id = event.incident_id)
  else ${seesPools} and exists (
    select from pools as pool where pool.tenant_id = event.tenant_id and pool.id = event.pool_id) end`

const buildBounds = ({ before, after, at }: Selection) => {
  const compare = (place: string, operator: RawBuilder<unknown>) => {
    const { notedAt, id } = parsePlace(place)
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
  limit ${selection.limit}`

const selectByKind = (
  tenantId: string,
  selection: Selection,
  kinds: readonly EventKind[],
  where: RawBuilder<unknown> = sql`true`,
) => sql`
  select found.* from unnest(${kinds}::text[]) as wanted (kind)
  cross join lateral (${selectNewest(tenantId, selection, sql`event.kind = wanted.kind and ${where}`)}) as found`

const selectByLine = (tenantId: string, selection: Selection, lineIds: readonly number[]) => sql`
  select found.* from unnest(${lineIds}::bigint[]) as wanted (id)
  cross join lateral (${selectNewest(
    tenantId,
    selection,
    sql`event.service_line_id = wanted.id and event.kind = any(${selection.kinds}::text[])`,
  )}) as found`

const merge = async (db: Db, { limit }: Selection, parts: RawBuilder<unknown>[]) => {
  const { rows } = await sql<EventRow>`
    select * from (${sql.join(parts, sql` union all `)}) as event
    order by noted_at desc, id desc
    limit ${limit}`.execute(db)
  return rows
}

const pick = (kinds: readonly EventKind[], among: readonly EventKind[]) => kinds.filter((kind) => among.includes(kind))

/** Everything that the user may see. `group` is undefined for those who see all lines of the tenant. */
export const selectFleetEvents = async (
  db: Db,
  tenantId: string,
  group: string | undefined,
  selection: Selection,
): Promise<EventRow[]> => {
  const { kinds } = selection
  if (group === undefined) return merge(db, selection, [selectByKind(tenantId, selection, kinds)])
  const lines = await db
    .selectFrom('service_lines')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('group_name', '=', group)
    .where('removed_at', 'is', null)
    .limit(MOST_LINES + 1)
    .execute()
  if (lines.length > MOST_LINES) return merge(db, selection, [selectByKind(tenantId, selection, kinds)])
  const others = pick(kinds, OTHER_KINDS)
  return merge(db, selection, [
    selectByLine(
      tenantId,
      selection,
      lines.map(({ id }) => id),
    ),
    selectByKind(tenantId, selection, others, sql`event.service_line_id is null`),
  ])
}

/** What concerns one line: itself, the incidents that it was part of, and its pool. */
export const selectLineEvents = (
  db: Db,
  tenantId: string,
  line: { id: number; terminalIds: readonly number[] },
  selection: Selection,
): Promise<EventRow[]> => {
  const { kinds } = selection
  const isOfTerminal = sql`terminal_id = any(${line.terminalIds}::bigint[])`
  const parts = [selectByLine(tenantId, { ...selection, kinds: pick(kinds, LINE_KINDS) }, [line.id])]
  if (kinds.includes('incident'))
    parts.push(
      sql`(${selectNewest(
        tenantId,
        selection,
        sql`event.incident_id in (
        select incident_id from terminal_losses where tenant_id = ${tenantId} and ${isOfTerminal}
        union all
        select id from incidents where tenant_id = ${tenantId} and ${isOfTerminal})`,
      )})`,
    )
  if (kinds.includes('pool') && selection.seesPools)
    parts.push(
      sql`(${selectNewest(
        tenantId,
        selection,
        sql`event.pool_id = (select pool_id from pool_lines where tenant_id = ${tenantId} and service_line_id = ${line.id})`,
      )})`,
    )
  return merge(db, selection, parts)
}
