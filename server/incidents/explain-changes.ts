import { sql } from 'kysely'
import { adviseIncident, explainIncident, formatIncidentTitle } from '#contract/incident-words.ts'
import type { Db } from '../platform/database/database.ts'
import { selectIncidents, toIncident } from './read-incidents.ts'

export interface ExplainedChange {
  terminalId: number
  sinceMs: number
  name: string
  place: string | null
}

export interface Verdict {
  title: string
  reasons: string
}

const MOST_EXPLAINED = 3

/** The loss that a change began or ended, and the incident that it is part of. */
const listIncidentIds = async (db: Db, tenantId: string, changes: readonly ExplainedChange[]) => {
  const { rows } = await sql<{ terminal_id: number; incident_id: string }>`
    select change.terminal_id, loss.incident_id
    from unnest(
      ${changes.map(({ terminalId }) => terminalId)}::bigint[],
      ${changes.map(({ sinceMs }) => new Date(sinceMs).toISOString())}::timestamptz[]
    ) as change (terminal_id, since)
    join terminal_losses as loss on loss.tenant_id = ${tenantId} and loss.terminal_id = change.terminal_id
      and loss.lost_at <= change.since and coalesce(loss.back_at, 'infinity') >= change.since
    where loss.incident_id is not null`.execute(db)
  return Map.groupBy(rows, (row) => row.incident_id)
}

/**
 * Why terminals changed, as somebody may read it who sees these terminals, or all. Those with the most terminals come
 * first, and rare ones are left out.
 */
export const explainChanges = async (
  db: Db,
  tenantId: string,
  changes: readonly ExplainedChange[],
  viewer: { seesAll: boolean },
): Promise<Verdict[]> => {
  const members = await listIncidentIds(db, tenantId, changes)
  if (members.size === 0) return []
  const rows = await selectIncidents(db, tenantId, sql`incident.id = any(${[...members.keys()]}::uuid[])`, sql``)
  const byId = new Map(changes.map((change) => [change.terminalId, change]))
  return rows
    .map((row) => {
      const own = members.get(row.id) ?? []
      const first = byId.get(own[0]?.terminal_id ?? 0)
      const incident = toIncident(row, viewer)
      // The rows were read without regard to groups.
      const seen = viewer.seesAll ? {} : { terminals: own.length, name: first?.name, place: first?.place ?? null }
      return { count: own.length, incident: { ...incident, ...seen, name: first?.name ?? incident.name } }
    })
    .sort((one, other) => other.count - one.count)
    .slice(0, MOST_EXPLAINED)
    .map(({ incident }) => ({
      title: formatIncidentTitle(incident),
      reasons: [...explainIncident(incident), adviseIncident(incident)].filter(Boolean).join(' '),
    }))
}
