import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { Condition, FleetEvent, IncidentEvent, StatusEvent, UsageEvent, WarningEvent } from './fleet-event.ts'

interface Window {
  /** Events that became known after this time. */
  after: Date
  until: Date
}

interface StatusRow {
  terminal_id: number
  service_line_id: number
  started_at: Date
  known_at: Date
  status: 'online' | 'offline' | 'no data'
  disabled: boolean
}

// History that is imported long after it happened is not news, so it is dated as if it had been recorded in time.
const knownAt = sql`case when interval_.noted_at - interval_.started_at > interval '2 days'
  then interval_.started_at + interval '195 seconds' else interval_.noted_at end`

/** Status changes of some lines, in the order in which they became known. */
const listStatusEvents = async (
  db: Db,
  tenantId: string,
  lineIds: readonly number[],
  { after, until }: Window,
): Promise<StatusEvent[]> => {
  const { rows } = await sql<StatusRow>`
    select interval_.terminal_id, terminal.service_line_id, interval_.started_at, ${knownAt} as known_at,
      interval_.status, interval_.disabled
    from status_intervals as interval_
    join terminals as terminal on terminal.tenant_id = interval_.tenant_id and terminal.id = interval_.terminal_id
    where interval_.tenant_id = ${tenantId} and terminal.service_line_id = any(${lineIds}::bigint[])
      and interval_.noted_at > ${after} and ${knownAt} > ${after} and ${knownAt} <= ${until}
    order by known_at, interval_.terminal_id, interval_.started_at`.execute(db)
  return rows.map((row) => ({
    kind: 'status',
    knownAtMs: row.known_at.getTime(),
    terminalId: row.terminal_id,
    lineId: row.service_line_id,
    after: (row.disabled ? 'disabled' : row.status) satisfies Condition,
    sinceMs: row.started_at.getTime(),
  }))
}

interface AssignmentRow {
  terminal_id: number
  service_line_id: number
  lost_at: Date
  known_at: Date
  incident_id: string
}

/** Which incidents the outages of some lines belong to, in the order in which that became known. */
const listIncidentEvents = async (
  db: Db,
  tenantId: string,
  lineIds: readonly number[],
  { after, until }: Window,
): Promise<IncidentEvent[]> => {
  const { rows } = await sql<AssignmentRow>`
    select assignment.terminal_id, terminal.service_line_id, assignment.lost_at, assignment.known_at,
      assignment.incident_id
    from incident_assignments as assignment
    join terminals as terminal on terminal.tenant_id = assignment.tenant_id and terminal.id = assignment.terminal_id
    where assignment.tenant_id = ${tenantId} and terminal.service_line_id = any(${lineIds}::bigint[])
      and assignment.known_at > ${after} and assignment.known_at <= ${until}
    order by assignment.known_at, assignment.terminal_id, assignment.lost_at`.execute(db)
  return rows.map((row) => ({
    kind: 'incident',
    knownAtMs: row.known_at.getTime(),
    terminalId: row.terminal_id,
    lineId: row.service_line_id,
    lostAtMs: row.lost_at.getTime(),
    incidentId: row.incident_id,
  }))
}

interface UsageRow {
  service_line_id: number | null
  pool_id: number | null
  line_ids: number[]
  percent: number
  used_gb: number
  limit_gb: number
  crossed_at: Date
}

const listUsageEvents = async (
  db: Db,
  tenantId: string,
  lineIds: readonly number[],
  { after, until }: Window,
): Promise<UsageEvent[]> => {
  const { rows } = await sql<UsageRow>`
    select * from (
      select crossing.id, crossing.service_line_id, crossing.pool_id, crossing.percent, crossing.used_gb,
        crossing.limit_gb, crossing.crossed_at,
        case when crossing.pool_id is null then array[crossing.service_line_id] else array(
          select member.service_line_id from pool_lines as member
          where member.tenant_id = ${tenantId} and member.pool_id = crossing.pool_id
          order by member.service_line_id) end as line_ids
      from usage_crossings as crossing
      where crossing.tenant_id = ${tenantId} and crossing.crossed_at > ${after} and crossing.crossed_at <= ${until}
    ) as crossing_event
    where line_ids && ${lineIds}::bigint[]
    order by crossed_at, percent, id`.execute(db)
  return rows.map((row) => ({
    kind: 'usage',
    knownAtMs: row.crossed_at.getTime(),
    subject: row.pool_id === null ? `line ${row.service_line_id}` : `pool ${row.pool_id}`,
    // The driver returns bigint[] as text.
    lineIds: row.line_ids.map(Number),
    percent: row.percent,
    usedGb: row.used_gb,
    limitGb: row.limit_gb,
  }))
}

interface WarningRow {
  terminal_id: number
  service_line_id: number
  id: string
  opened_at: Date
}

/** Early warnings of some lines, in the order in which they were found. */
const listWarningEvents = async (
  db: Db,
  tenantId: string,
  lineIds: readonly number[],
  { after, until }: Window,
): Promise<WarningEvent[]> => {
  const { rows } = await sql<WarningRow>`
    select incident.id, incident.terminal_id, incident.opened_at, terminal.service_line_id
    from incidents as incident
    join terminals as terminal on terminal.tenant_id = incident.tenant_id and terminal.id = incident.terminal_id
    where incident.tenant_id = ${tenantId} and terminal.service_line_id = any(${lineIds}::bigint[])
      and incident.opened_at > ${after} and incident.opened_at <= ${until}
    order by incident.opened_at, incident.terminal_id, incident.cause`.execute(db)
  return rows.map((row) => ({
    kind: 'warning',
    knownAtMs: row.opened_at.getTime(),
    terminalId: row.terminal_id,
    lineId: row.service_line_id,
    incidentId: row.id,
  }))
}

export const listFleetEvents = async (
  db: Db,
  tenantId: string,
  lineIds: readonly number[],
  window: Window,
): Promise<FleetEvent[]> => {
  if (lineIds.length === 0) return []
  const status = await listStatusEvents(db, tenantId, lineIds, window)
  const incidents = await listIncidentEvents(db, tenantId, lineIds, window)
  const usage = await listUsageEvents(db, tenantId, lineIds, window)
  const warnings = await listWarningEvents(db, tenantId, lineIds, window)
  // An outage comes before its incident if both have the same time.
  return [...status, ...incidents, ...usage, ...warnings].sort((one, other) => one.knownAtMs - other.knownAtMs)
}
