import { cellToLatLng } from 'h3-js'
import { type RawBuilder, sql } from 'kysely'
import type { IncidentCause, IncidentReach } from '#contract/incident-cause.ts'
import type { Incident, IncidentLoss } from '#contract/incidents.ts'
import type { Db } from '../platform/database/database.ts'
import type { Evidence } from './build-incident.ts'

export interface IncidentRow {
  id: string
  cause: IncidentCause
  reach: IncidentReach
  confidence: number
  started_at: Date
  opened_at: Date
  ended_at: Date | null
  place: string | null
  latitude: number | null
  longitude: number | null
  radius_km: number | null
  evidence: Evidence
  acknowledged_at: Date | null
  acknowledged_by: string | null
  note: string
  snoozed_until: Date | null
  merged_into: string | null
  terminal_count: number
  terminals: number
  back: number
  lost_power: number
  name: string | null
  first_place: string | null
  nickname: string | null
}

/**
 * Row-level security filters out what the user may not see, so everything is counted over the visible losses. Where it
 * does not apply, `isSeen` selects the losses that count. With `until`, terminals that recovered later do not count as
 * recovered.
 */
export const buildIncidentsQuery = (
  tenantId: string,
  where: RawBuilder<unknown>,
  rest: RawBuilder<unknown> = sql``,
  isSeen: RawBuilder<unknown> = sql`true`,
  until: Date | null = null,
): RawBuilder<IncidentRow> =>
  sql<IncidentRow>`
    select incident.id, incident.cause, incident.reach, incident.confidence, incident.started_at, incident.opened_at,
      incident.ended_at, incident.place, incident.latitude, incident.longitude, incident.radius_km, incident.evidence,
      incident.acknowledged_at, person.email as acknowledged_by, incident.note, incident.snoozed_until,
      incident.merged_into, incident.terminal_count, case when incident.terminal_id is null then visible.terminals else 1 end as terminals, visible.back, visible.lost_power, coalesce(first.name, warned.custom_name, warned.nickname) as name,
      coalesce(first.place, warned.city, warned.state) as first_place, warned.nickname
    from incidents as incident
    left join users as person on person.tenant_id = incident.tenant_id and person.id = incident.acknowledged_by
    cross join lateral (
      select count(distinct loss.terminal_id)::integer as terminals,
        count(distinct loss.terminal_id) filter (where loss.back_at <= coalesce(${until}::timestamptz, 'infinity'))::integer as back,
        count(distinct loss.terminal_id)
          filter (where loss.facts #> '{after,alerts}' ? 'power_disconnect_detected')::integer as lost_power
      from terminal_losses as loss
      where loss.tenant_id = incident.tenant_id and loss.incident_id = incident.id and ${isSeen}
    ) as visible
    left join lateral (
      select coalesce(line.custom_name, line.nickname) as name, coalesce(line.city, line.state) as place
      from terminal_losses as loss
      join terminals as terminal on terminal.tenant_id = loss.tenant_id and terminal.id = loss.terminal_id
      join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
      where loss.tenant_id = incident.tenant_id and loss.incident_id = incident.id and ${isSeen}
      order by loss.lost_at, loss.terminal_id
      limit 1
    ) as first on true
    left join terminals as terminal on terminal.tenant_id = incident.tenant_id and terminal.id = incident.terminal_id
    left join service_lines as warned on warned.tenant_id = terminal.tenant_id and warned.id = terminal.service_line_id
    where incident.tenant_id = ${tenantId} and ${where}
    ${rest}`

export const selectIncidents = async (db: Db, ...given: Parameters<typeof buildIncidentsQuery>) => {
  const { rows } = await buildIncidentsQuery(...given).execute(db)
  return rows
}

export const toIncident = (row: IncidentRow, { seesAll }: { seesAll: boolean }): Incident => {
  // The evidence of an incident can involve terminals of other groups.
  const evidence = seesAll || row.reach === 'terminal' ? row.evidence : undefined
  return {
    id: row.id,
    cause: row.cause,
    reach: row.reach,
    confidence: row.confidence,
    startedAt: row.started_at,
    openedAt: row.opened_at,
    endedAt: row.ended_at,
    // Unobserved time has no losses.
    terminals: row.cause === 'not observed' ? row.terminal_count : row.terminals,
    back: row.back,
    lostPower: row.lost_power,
    observed: seesAll ? row.evidence.observed : null,
    name: row.name ?? 'Terminal',
    place: seesAll ? row.place : row.first_place,
    center: seesAll && row.latitude !== null && row.longitude !== null ? [row.latitude, row.longitude] : null,
    radiusKm: seesAll ? row.radius_km : null,
    signalQuality: evidence?.signalQuality ?? null,
    obstruction: evidence?.obstruction ?? null,
    alerts: evidence?.alerts ?? [],
    // Users who see a terminal also see its windows.
    window: row.evidence.window ?? null,
    restart: row.evidence.restart ?? null,
    warning: row.evidence.warning ?? null,
    acknowledgedAt: row.acknowledged_at,
    acknowledgedBy: seesAll ? row.acknowledged_by : null,
    note: seesAll ? row.note : '',
    snoozedUntil: row.snoozed_until,
  }
}

/**
 * An incident as it was at a time. Its cause and its members are as known today: the first verdict on an ongoing incident
 * is often corrected minutes later.
 */
export const rewindIncident = (incident: Incident, at: Date): Incident => {
  const { endedAt, acknowledgedAt } = incident
  const isAcknowledged = acknowledgedAt !== null && acknowledgedAt <= at
  return {
    ...incident,
    endedAt: endedAt && endedAt <= at ? endedAt : null,
    // A note is replaced by the next one, and snoozing is not dated.
    ...(!isAcknowledged && { acknowledgedAt: null, acknowledgedBy: null, note: '' }),
    snoozedUntil: null,
  }
}

interface LossRow {
  device_id: string
  nickname: string
  name: string
  place: string | null
  cell: string | null
  lost_at: Date
  back_at: Date | null
}

export const listIncidentLosses = async (
  db: Db,
  tenantId: string,
  incidentId: string,
  { limit, at }: { limit: number; at: Date | undefined },
): Promise<IncidentLoss[]> => {
  const { rows } = await sql<LossRow>`
    select terminal.device_id, line.nickname, coalesce(line.custom_name, line.nickname) as name,
      coalesce(line.city, line.state) as place, loss.facts ->> 'cell' as cell, loss.lost_at,
      case when loss.back_at <= ${at ?? 'infinity'}::timestamptz then loss.back_at end as back_at
    from terminal_losses as loss
    join terminals as terminal on terminal.tenant_id = loss.tenant_id and terminal.id = loss.terminal_id
    join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
    where loss.tenant_id = ${tenantId} and loss.incident_id = ${incidentId}
      and loss.lost_at <= ${at ?? 'infinity'}::timestamptz
    order by loss.lost_at, loss.terminal_id
    limit ${limit}`.execute(db)
  return rows.map((row) => ({
    deviceId: row.device_id,
    nickname: row.nickname,
    name: row.name,
    place: row.place,
    position: row.cell === null ? null : cellToLatLng(row.cell),
    lostAt: row.lost_at,
    backAt: row.back_at,
  }))
}
