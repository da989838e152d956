import { sql } from 'kysely'
import type { AvailabilityKind, AvailabilitySpan, SpanOrder } from '#contract/availability.ts'
import type { OutageCause } from '#contract/incident-cause.ts'
import type { Span } from '../maintenance/occurrences.ts'
import type { PlannedTimes } from '../maintenance/planned-times.ts'
import type { Db } from '../platform/database/database.ts'
import type { TerminalRow } from './read-histories.ts'

export const MAX_LISTED = 1_000

export interface TerminalSpan extends Span {
  terminal: TerminalRow
  kind: AvailabilityKind
}

const getLengthMs = ({ fromMs, toMs }: Span) => toMs - fromMs

export const compareSpans: Record<SpanOrder, (one: Span, other: Span) => number> = {
  newest: (one, other) => other.fromMs - one.fromMs,
  longest: (one, other) => getLengthMs(other) - getLengthMs(one) || other.fromMs - one.fromMs,
}

interface LossRow {
  terminal_id: number
  lost_at: Date
  back_at: Date | null
  id: string
  cause: OutageCause
}

const listLosses = async (db: Db, tenantId: string, terminalIds: readonly number[], { fromMs, toMs }: Span) => {
  const { rows } = await sql<LossRow>`
    select loss.terminal_id, loss.lost_at, loss.back_at, incident.id, incident.cause
    from terminal_losses as loss
    join incidents as incident on incident.tenant_id = loss.tenant_id and incident.id = loss.incident_id
    where loss.tenant_id = ${tenantId} and loss.terminal_id = any(${terminalIds}::bigint[])
      and loss.lost_at < ${new Date(toMs)} and coalesce(loss.back_at, 'infinity') > ${new Date(fromMs)}`.execute(db)
  return Map.groupBy(rows, ({ terminal_id }) => terminal_id)
}

const findIncident = (losses: readonly LossRow[], atMs: number) => {
  const loss = losses.find(
    ({ lost_at, back_at }) => lost_at.getTime() <= atMs && (back_at?.getTime() ?? Number.POSITIVE_INFINITY) > atMs,
  )
  return loss ? { id: loss.id, cause: loss.cause } : null
}

interface Explained {
  db: Db
  tenantId: string
  within: Span
  planned: PlannedTimes
}

/** Adds the incident of each outage and the window of each maintenance. */
export const explainSpans = async (spans: readonly TerminalSpan[], { db, tenantId, within, planned }: Explained) => {
  const down = new Set(spans.filter(({ kind }) => kind === 'down').map(({ terminal }) => terminal.id))
  const losses = await listLosses(db, tenantId, [...down], within)
  return spans.map(({ terminal, kind, fromMs, toMs }) => ({
    terminal,
    span: {
      kit: terminal.kit,
      kind,
      from: new Date(fromMs),
      until: new Date(toMs),
      incident: kind === 'down' ? findIncident(losses.get(terminal.id) ?? [], fromMs) : null,
      window: kind === 'planned' ? (planned.findWindow(terminal.id, fromMs)?.name ?? null) : null,
    } satisfies AvailabilitySpan,
  }))
}
