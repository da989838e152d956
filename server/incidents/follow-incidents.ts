import { sql } from 'kysely'
import type { Incident } from '#contract/incidents.ts'
import type { Db } from '../platform/database/database.ts'
import { selectIncidents, toIncident } from './read-incidents.ts'

export interface Reader {
  seesAll: boolean
  /** Readers with limited access see only these. */
  terminalIds: readonly number[]
}

/** The incidents that the given ids were merged into, by the requested id. */
export const followIncidents = async (
  db: Db,
  tenantId: string,
  ids: readonly string[],
  { seesAll, terminalIds }: Reader,
): Promise<Map<string, Incident>> => {
  if (ids.length === 0) return new Map()
  const { rows: followed } = await sql<{ asked: string; id: string }>`
    with recursive step as (
      select incident.id as asked, incident.id, incident.merged_into from incidents as incident
      where incident.tenant_id = ${tenantId} and incident.id = any(${ids}::uuid[])
      union
      select step.asked, incident.id, incident.merged_into from step
      join incidents as incident on incident.tenant_id = ${tenantId} and incident.id = step.merged_into)
    select asked, id from step where merged_into is null`.execute(db)
  const isSeen = seesAll ? sql`true` : sql`loss.terminal_id = any(${terminalIds}::bigint[])`
  const isFollowed = sql`incident.id = any(${followed.map(({ id }) => id)}::uuid[])
    and (incident.terminal_id is null or ${seesAll} or incident.terminal_id = any(${terminalIds}::bigint[]))`
  const rows = await selectIncidents(db, tenantId, isFollowed, sql``, isSeen)
  const byId = new Map(rows.map((row) => [row.id, toIncident(row, { seesAll })]))
  return new Map(followed.flatMap(({ asked, id }) => [[asked, byId.get(id)] as const]).filter(isKnown))
}

const isKnown = (entry: readonly [string, Incident | undefined]): entry is [string, Incident] => entry[1] !== undefined
