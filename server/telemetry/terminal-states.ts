import { sql } from 'kysely'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import type { Db } from '../platform/database/database.ts'
import { advanceEventClock } from '../platform/database/event-clock.ts'
import { refreshStatistics } from '../platform/database/refresh-statistics.ts'
import { publishEvents } from '../platform/publish-events.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import type { Edge, TerminalState } from './status.ts'

/** A terminal before a batch: its status, and what pages last showed. */
export interface KnownTerminal {
  state: TerminalState
  alerts: readonly string[]
  h3Cell: string | null
}

interface StateRow {
  terminal_id: number
  at_ms: number
  last_response_ms: number | null
  status: TerminalStatus
  disabled: boolean
  started_ms: number
}

/** A number takes a fraction of the time of a date to read. In whole microseconds first, because a fraction is inexact. */
const selectMs = (column: string) => sql`(date_part('epoch', ${sql.ref(column)}) * 1000000)::bigint / 1000`

const stateColumns = sql`latest.terminal_id, ${selectMs('latest.at')} as at_ms,
  ${selectMs('latest.last_response_at')} as last_response_ms, status_intervals.status, status_intervals.disabled,
  ${selectMs('status_intervals.started_at')} as started_ms`

const openInterval = sql`status_intervals on status_intervals.tenant_id = latest.tenant_id
  and status_intervals.terminal_id = latest.terminal_id and status_intervals.ended_at is null`

const toState = (row: StateRow): TerminalState => ({
  status: row.status,
  disabled: row.disabled,
  sinceMs: row.started_ms,
  seenAtMs: row.at_ms,
  lastResponseAtMs: row.last_response_ms,
})

const NO_ALERTS: readonly string[] = []

export const listKnownTerminals = async (
  db: Db,
  tenantId: string,
  terminalIds: number[],
): Promise<Map<number, KnownTerminal>> => {
  const { rows } = await sql<StateRow & { alerts: string[] | null; h3_cell: string | null }>`
    select ${stateColumns}, nullif(latest.alerts, '{}') as alerts, latest.h3_cell
    from unnest(${terminalIds}::bigint[]) as given (id)
    join latest on latest.tenant_id = ${tenantId} and latest.terminal_id = given.id
    join ${openInterval}`.execute(db)
  return new Map(
    rows.map(
      (row) =>
        [row.terminal_id, { state: toState(row), alerts: row.alerts ?? NO_ALERTS, h3Cell: row.h3_cell }] as const,
    ),
  )
}

export interface SilentTerminal {
  terminalId: number
  serviceLineId: number | null
  state: TerminalState
}

/** Lists terminals of a credential that may have been silent long enough to change status. The feed's timeline decides. */
export const listSilentTerminals = async (
  db: Db,
  scope: { tenantId: string; credentialId: number; onlineSilentSince: Date; offlineSilentSince: Date },
): Promise<SilentTerminal[]> => {
  const { rows } = await sql<StateRow & { service_line_id: number | null }>`
    select ${stateColumns}, terminals.service_line_id
    from latest join ${openInterval}
    join terminals on terminals.tenant_id = latest.tenant_id and terminals.id = latest.terminal_id
    where latest.tenant_id = ${scope.tenantId} and terminals.credential_id = ${scope.credentialId}
      and (
        (status_intervals.status = 'online' and coalesce(latest.last_response_at, status_intervals.started_at) <= ${scope.onlineSilentSince})
        or (status_intervals.status = 'offline' and latest.at <= ${scope.offlineSilentSince})
      )`.execute(db)
  return rows.map((row) => ({
    terminalId: row.terminal_id,
    serviceLineId: row.service_line_id,
    state: toState(row),
  }))
}

export interface TerminalEdge extends Edge {
  terminalId: number
}

// Terminals with a common cause change within seconds of each other.
const INCIDENT_DELAY_MS = 5_000
// Changes are collected for two minutes before users are notified, so one run can handle many.
const NOTIFICATION_DELAY_MS = 15_000

interface EndedRow {
  terminal_id: number
  status: TerminalStatus
  disabled: boolean
}

const toCondition = ({ status, disabled }: Omit<EndedRow, 'terminal_id'>): TerminalStatus | 'disabled' =>
  disabled ? 'disabled' : status

/** Lists the status changes; a terminal's first status is not a change. */
const listStatusChanges = (ended: readonly EndedRow[], edges: readonly TerminalEdge[]) => {
  const known = new Map(ended.map((row) => [row.terminal_id, toCondition(row)]))
  return edges.flatMap((edge) => {
    const { terminalId } = edge
    const status = toCondition(edge)
    const previousStatus = known.get(terminalId)
    known.set(terminalId, status)
    if (previousStatus === undefined || previousStatus === status) return []
    const subject = { terminalId, status, previousStatus }
    return [{ type: 'terminal.status_changed' as const, at: new Date(edge.atMs), subject }]
  })
}

/**
 * Ends the open interval of each terminal at its first edge and appends the new intervals; the last stays open. Call it
 * late in the transaction, because it locks the tenant's event clock until the end.
 */
export const appendEdges = async (db: Db, tenantId: string, edges: readonly TerminalEdge[]): Promise<void> => {
  if (edges.length === 0) return
  const rows = sql`
    select * from unnest(
      ${edges.map((edge) => edge.terminalId)}::bigint[],
      ${edges.map((edge) => new Date(edge.atMs).toISOString())}::timestamptz[],
      ${edges.map((edge) => edge.status)}::text[],
      ${edges.map((edge) => edge.disabled)}::boolean[]
    ) as edge (terminal_id, started_at, status, disabled)`
  const { rows: ended } = await sql<EndedRow>`
    update status_intervals set ended_at = first.started_at
    from (select terminal_id, min(started_at) as started_at from (${rows}) as edges group by terminal_id) as first
    where status_intervals.tenant_id = ${tenantId} and status_intervals.terminal_id = first.terminal_id
      and status_intervals.ended_at is null
    returning status_intervals.terminal_id, status_intervals.status, status_intervals.disabled`.execute(db)
  const notedAt = await advanceEventClock(db, tenantId)
  await sql`
    insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, status, disabled, noted_at)
    select ${tenantId}, terminal_id, started_at,
      lead(started_at) over (partition by terminal_id order by started_at), status, disabled, ${notedAt}::timestamptz
    from (${rows}) as edges`.execute(db)
  await refreshStatistics(db, { status_intervals: edges.length })
  await publishEvents(db, tenantId, listStatusChanges(ended, edges), notedAt)
  await enqueue(db, 'incidents', tenantId, { dueAt: new Date(notedAt.getTime() + INCIDENT_DELAY_MS) })
  await enqueue(db, 'notifications', tenantId, { dueAt: new Date(notedAt.getTime() + NOTIFICATION_DELAY_MS) })
}
