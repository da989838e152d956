import { sql } from 'kysely'
import { formatIncidentTitle } from '#contract/incident-words.ts'
import { listOpenGaps } from '../incidents/open-gaps.ts'
import { selectIncidents, toIncident } from '../incidents/read-incidents.ts'
import type { Db } from '../platform/database/database.ts'

/** An area with fewer terminals could identify a customer. */
const FEWEST_TERMINALS = 5
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
  name: string
  /** Of the observed terminals, how many work; null if none is observed. */
  share: number | null
  observed: number
}

/** Disabled terminals and planned outages say nothing about an area, so only recent losses count as down. */
const listAreas = async (db: Db, tenantId: string, accountsWithGap: readonly number[]): Promise<PublicArea[]> => {
  const isObserved = sql`terminal.credential_id <> all(${accountsWithGap}::bigint[])`
  const { rows } = await sql<AreaRow>`
    select coalesce(line.state, line.city) as name, avg((${isObserved})::integer)::float8 as observed,
      (avg((state.status = 'online')::integer) filter (where ${isObserved}))::float8 as share
    from service_lines as line
    join terminals as terminal on terminal.tenant_id = line.tenant_id and terminal.service_line_id = line.id
      and terminal.removed_at is null
    join status_intervals as state on state.tenant_id = terminal.tenant_id and state.terminal_id = terminal.id
      and state.ended_at is null and not state.disabled
    where line.tenant_id = ${tenantId} and line.removed_at is null and coalesce(line.state, line.city) is not null
    group by 1 having count(*) >= ${FEWEST_TERMINALS}
    order by natural_key(coalesce(line.state, line.city)) limit ${MAX_AREAS}`.execute(db)
  return rows.map((row) => ({ name: row.name, state: findObservedState(row) }))
}

/** Only incidents of an area or of the fleet: one of a single terminal would identify its customer, like the place of a few. */
const listIncidents = async (db: Db, tenantId: string, now: Date): Promise<PublicIncident[]> => {
  const since = new Date(now.getTime() - SHOWN_DAYS * 86_400_000)
  const rows = await selectIncidents(
    db,
    tenantId,
    sql`incident.merged_into is null and incident.reach in ('area', 'fleet') and incident.cause <> 'planned'
      and (incident.ended_at is null or incident.ended_at > ${since})`,
    sql`order by incident.started_at desc, incident.id limit ${MAX_INCIDENTS}`,
  )
  return rows.map((row) => ({
    title: formatIncidentTitle({
      ...toIncident(row, { seesAll: true }),
      ...(row.terminal_count < FEWEST_TERMINALS && { place: null }),
    }),
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }))
}

export const readPublicStatus = async (db: Db, tenantId: string, now: Date) => {
  const accountsWithGap = [...(await listOpenGaps(db, tenantId)).keys()]
  return {
    areas: await listAreas(db, tenantId, accountsWithGap),
    incidents: await listIncidents(db, tenantId, now),
    isObserved: accountsWithGap.length === 0,
  }
}
