import { sql } from 'kysely'
import type { Incident } from '#contract/incidents.ts'
import type { Db } from '../platform/database/database.ts'
import { selectIncidents, toIncident } from './read-incidents.ts'

export interface Reader {
  seesAll: boolean
  /** Readers with limited access see only these. */
  terminalIds: readonly number[]
}

/** The ids of the incidents that the given ones were merged into, with the requested id; of others, their own. */
export const followMerges = async (db: Db, tenantId: string, ids: readonly string[]) => {
  const { rows } = await sql<{ asked: string; id: string }>`
    select asked, whole as id from follow_merges(${tenantId}, ${ids}::uuid[])`.execute(db)
  return rows
}

/** The incidents that the given ids were merged into, by the requested id. */
export const followIncidents = async (
  db: Db,
  tenantId: string,
  ids: readonly string[],
  { seesAll, terminalIds }: Reader,
): Promise<Map<string, Incident>> => {
  if (ids.length === 0) return new Map()
  const followed = await followMerges(db, tenantId, ids)
  const isSeen = seesAll ? sql`true` : sql`loss.terminal_id = any(${terminalIds}::bigint[])`
  const isFollowed = sql`incident.id = any(${followed.map(({ id }) => id)}::uuid[])
    and (incident.terminal_id is null or ${seesAll} or incident.terminal_id = any(${terminalIds}::bigint[]))`
  const rows = await selectIncidents(db, tenantId, isFollowed, sql``, isSeen)
  const byId = new Map(rows.map((row) => [row.id, toIncident(row, { seesAll })]))
  return new Map(followed.flatMap(({ asked, id }) => [[asked, byId.get(id)] as const]).filter(isKnown))
}

const isKnown = (entry: readonly [string, Incident | undefined]): entry is [string, Incident] => entry[1] !== undefined
