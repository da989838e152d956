import { sql } from 'kysely'
import { appendEvents } from '../platform/append-events.ts'
import type { Db } from '../platform/database/database.ts'
import type { FoundIncident } from './build-incident.ts'

/** Incident events on pages, in addition to its start and end, which webhooks report too. */
type ListedType =
  | 'incident.reopened'
  | 'incident.renamed'
  | 'incident.acknowledged'
  | 'incident.snoozed'
  | 'incident.unsnoozed'
  | 'incident.merged'
  | 'incident.split'

export interface ListedEvent {
  type: ListedType
  incidentId: string
  /** The previous cause, if it changed. */
  formerCause?: string
}

/** The listed differences between an incident and its stored state. */
export const findIncidentChanges = (
  id: string,
  incident: Pick<FoundIncident, 'cause' | 'endedAtMs'>,
  stored: { cause: string; ended_at: Date | null } | undefined,
): ListedEvent[] => {
  if (!stored) return []
  const isReopened = stored.ended_at !== null && incident.endedAtMs === null
  return [
    ...(stored.cause === incident.cause
      ? []
      : [{ type: 'incident.renamed' as const, incidentId: id, formerCause: stored.cause }]),
    ...(isReopened ? [{ type: 'incident.reopened' as const, incidentId: id }] : []),
  ]
}

export const listIncidentEvents = (db: Db, tenantId: string, events: readonly ListedEvent[], at: Date) =>
  appendEvents(
    db,
    tenantId,
    events.map(({ type, ...subject }) => ({ type, at, subject })),
  )

interface Member {
  incidentId: string
  terminalId: number
}

/** For a customer whose first terminal joins an existing incident, the incident begins at that time. */
export const listForJoiningGroups = async (db: Db, tenantId: string, members: readonly Member[]): Promise<void> => {
  await sql`
    insert into events (tenant_id, kind, type, at, incident_id, group_name, details)
    select distinct opened.tenant_id, opened.kind, opened.type, opened.at, opened.incident_id, line.group_name, opened.details
    from unnest(
      ${members.map(({ incidentId }) => incidentId)}::uuid[], ${members.map(({ terminalId }) => terminalId)}::bigint[]
    ) as member (incident_id, terminal_id)
    join events as opened on opened.tenant_id = ${tenantId} and opened.incident_id = member.incident_id
    join terminals as terminal on terminal.tenant_id = ${tenantId} and terminal.id = member.terminal_id
    join service_lines as line on line.tenant_id = ${tenantId} and line.id = terminal.service_line_id
    where opened.type = 'incident.opened' and opened.group_name is null and opened.noted_at is not null
      and not exists (
        select from events as known
        where known.tenant_id = ${tenantId} and known.incident_id = opened.incident_id
          and known.group_name = line.group_name)`.execute(db)
}
