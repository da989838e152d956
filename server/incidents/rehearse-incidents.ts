import { sql } from 'kysely'
import { explainIncident, formatIncidentTitle } from '#contract/incident-words.ts'
import type { Db } from '../platform/database/database.ts'
import { getUnits } from '../platform/database/units.ts'
import type { FoundIncident } from './build-incident.ts'
import { findIncidents } from './find-incidents.ts'
import { findWindows, listDecisions } from './judge-losses.ts'
import { listKnownTerminals } from './known-terminals.ts'
import { listLossesSince } from './list-losses.ts'
import type { Loss } from './loss.ts'
import { findCommonest, listPlaces } from './store-incidents.ts'

export interface RehearsedIncident {
  startedAtMs: number
  endedAtMs: number | null
  terminals: number
  title: string
  reasons: string
}

const listNames = async (db: Db, tenantId: string, terminalIds: readonly number[]) => {
  const { rows } = await sql<{ id: number; name: string }>`
    select terminal.id, coalesce(line.custom_name, line.nickname) as name
    from terminals as terminal
    join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
    where terminal.tenant_id = ${tenantId} and terminal.id = any(${terminalIds}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row.name]))
}

/** Reevaluates everything since a time with the current rules. Read-only. */
export const rehearseIncidents = async (
  db: Db,
  tenantId: string,
  since: Date,
  until: Date,
): Promise<RehearsedIncident[]> => {
  const losses = await findWindows(db, tenantId, await listLossesSince(db, tenantId, since))
  const terminals = await listKnownTerminals(db, tenantId)
  const decisions = await listDecisions(db, tenantId, losses)
  const found = findIncidents({ losses, terminals, decisions, atMs: until.getTime() })
  const ids = [...new Set(losses.map(({ terminalId }) => terminalId))]
  const names = await listNames(db, tenantId, ids)
  const places = await listPlaces(db, tenantId, ids)
  const units = await getUnits(db, tenantId)
  return found.map((incident: FoundIncident) => {
    const members = [...new Set(incident.losses.map(({ terminalId }) => terminalId))]
    const { startedAtMs, endedAtMs, evidence } = incident
    const words = {
      ...incident,
      ...evidence,
      window: evidence.window ?? null,
      restart: evidence.restart ?? null,
      warning: null,
      endedAt: endedAtMs === null ? null : new Date(endedAtMs),
      terminals: members.length,
      name: names.get((incident.losses[0] as Loss).terminalId) ?? 'Terminal',
      place: findCommonest(members.map((id) => places.get(id))),
    }
    return {
      startedAtMs,
      endedAtMs,
      terminals: members.length,
      title: formatIncidentTitle(words),
      reasons: explainIncident(words, units).join(' '),
    }
  })
}
