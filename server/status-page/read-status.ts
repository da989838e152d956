import { sql } from 'kysely'
import { formatIncidentTitle } from '#contract/incident-words.ts'
import { listOpenGaps } from '../incidents/open-gaps.ts'
import { selectIncidents, toIncident } from '../incidents/read-incidents.ts'
import type { Db } from '../platform/database/database.ts'

/** An area with fewer terminals, or with those of one customer only, could identify a customer. */
const FEWEST_TERMINALS = 5
const FEWEST_GROUPS = 2
const MAX_AREAS = 100
const MAX_INCIDENTS = 20
const SHOWN_DAYS = 14

export interface PublicArea {
  name: string
  state: 'works' | 'partly down' | 'down' | 'not observed'
}

export interface PublicIncident {
  title: string
  startedAt: Date
  endedAt: Date | null
}

/** Below these shares of working terminals, an area is partly down, or down. */
const PARTLY_DOWN = 0.95
const DOWN = 0.5

const findState = (share: number): PublicArea['state'] =>
  share >= PARTLY_DOWN ? 'works' : share >= DOWN ? 'partly down' : 'down'

/** The status of a terminal whose data does not reach us is only the last known one. */
const findObservedState = ({ share, observed }: Pick<AreaRow, 'share' | 'observed'>): PublicArea['state'] =>
  share === null || observed < 0.5 ? 'not observed' : findState(share)

interface AreaRow {
  /** Null for what is outside the areas that can be named. */
  name: string | null
  /** Of the observed terminals, how many work; null if none is observed. */
  share: number | null
  observed: number
}

/** How many groups an area must have to be named. A tenant with one group hides nothing by leaving out areas. */
const countFewestGroups = async (db: Db, tenantId: string) => {
  const { rows } = await sql<{ groups: number }>`
    select count(distinct group_name)::integer as groups from service_lines
    where tenant_id = ${tenantId} and removed_at is null`.execute(db)
  return Math.min(FEWEST_GROUPS, rows[0]?.groups ?? 0)
}

interface Wanted {
  fewestGroups: number
  accountsWithGap: readonly number[]
}

/** Disabled terminals and planned outages say nothing about an area, so only recent losses count as down. */
const listAreas = async (
  db: Db,
  tenantId: string,
  { fewestGroups, accountsWithGap }: Wanted,
): Promise<PublicArea[]> => {
  const identifiesNobody = sql`count(*) >= ${FEWEST_TERMINALS} and count(distinct group_name) >= ${fewestGroups}`
  const { rows } = await sql<AreaRow>`
    with listed as materialized (
      select coalesce(line.state, line.city) as area, line.group_name, state.status = 'online' as is_online,
        terminal.credential_id <> all(${accountsWithGap}::bigint[]) as is_observed
      from service_lines as line
      join terminals as terminal on terminal.tenant_id = line.tenant_id and terminal.service_line_id = line.id
        and terminal.removed_at is null
      join status_intervals as state on state.tenant_id = terminal.tenant_id and state.terminal_id = terminal.id
        and state.ended_at is null and not state.disabled
      where line.tenant_id = ${tenantId} and line.removed_at is null
    ), named as (
      select area from listed where area is not null group by area having ${identifiesNobody}
    )
    select named.area as name, avg(is_observed::integer)::float8 as observed,
      (avg(is_online::integer) filter (where is_observed))::float8 as share
    from listed left join named on named.area = listed.area
    group by named.area having ${identifiesNobody}
    order by named.area is null, natural_key(named.area) limit ${MAX_AREAS}`.execute(db)
  const others = rows.length === 1 ? 'All areas' : 'Elsewhere'
  return rows.map((row) => ({ name: row.name ?? others, state: findObservedState(row) }))
}

/** The incidents whose terminals belong to so many groups that their place identifies none of them. */
const listNameable = async (db: Db, tenantId: string, ids: readonly string[], fewestGroups: number) => {
  const { rows } = await sql<{ id: string }>`
    select loss.incident_id as id
    from terminal_losses as loss
    join terminals as terminal on terminal.tenant_id = loss.tenant_id and terminal.id = loss.terminal_id
    join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
    where loss.tenant_id = ${tenantId} and loss.incident_id = any(${ids}::uuid[])
    group by loss.incident_id
    having count(distinct loss.terminal_id) >= ${FEWEST_TERMINALS}
      and count(distinct line.group_name) >= ${fewestGroups}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Only incidents of an area or of the fleet: one of a single terminal would identify its customer, like the place of a few. */
const listIncidents = async (db: Db, tenantId: string, fewestGroups: number, now: Date): Promise<PublicIncident[]> => {
  const since = new Date(now.getTime() - SHOWN_DAYS * 86_400_000)
  const rows = await selectIncidents(
    db,
    tenantId,
    sql`incident.merged_into is null and incident.reach in ('area', 'fleet') and incident.cause <> 'planned'
      and (incident.ended_at is null or incident.ended_at > ${since})`,
    sql`order by incident.started_at desc, incident.id limit ${MAX_INCIDENTS}`,
  )
  const ids = rows.map(({ id }) => id)
  const nameable = await listNameable(db, tenantId, ids, fewestGroups)
  return rows.map((row) => ({
    title: formatIncidentTitle({
      ...toIncident(row, { seesAll: true }),
      ...(!nameable.has(row.id) && { place: null }),
    }),
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }))
}

export const readPublicStatus = async (db: Db, tenantId: string, now: Date) => {
  const accountsWithGap = [...(await listOpenGaps(db, tenantId)).keys()]
  const fewestGroups = await countFewestGroups(db, tenantId)
  return {
    areas: await listAreas(db, tenantId, { fewestGroups, accountsWithGap }),
    incidents: await listIncidents(db, tenantId, fewestGroups, now),
    isObserved: accountsWithGap.length === 0,
  }
}
