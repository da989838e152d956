import { sql } from 'kysely'
import type { AvailabilitySpan, availability } from '#contract/availability.ts'
import type { OutageCause } from '#contract/incident-cause.ts'
import type { RouteInput } from '#contract/route.ts'
import type { Span } from '../maintenance/occurrences.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getLine } from '../service-lines/get-line.ts'
import { findSpan } from './find-span.ts'
import { addMeasured, listKinds, measure, toFigures } from './measure.ts'
import { readHistories } from './read-histories.ts'

const MAX_LISTED = 1_000

interface LossRow {
  terminal_id: number
  lost_at: Date
  back_at: Date | null
  id: string
  cause: OutageCause
}

const listLosses = async (db: Db, tenantId: string, lineId: number, { fromMs, toMs }: Span) => {
  const { rows } = await sql<LossRow>`
    select loss.terminal_id, loss.lost_at, loss.back_at, incident.id, incident.cause
    from terminal_losses as loss
    join terminals as terminal on terminal.tenant_id = loss.tenant_id and terminal.id = loss.terminal_id
    join incidents as incident on incident.tenant_id = loss.tenant_id and incident.id = loss.incident_id
    where loss.tenant_id = ${tenantId} and terminal.service_line_id = ${lineId}
      and loss.lost_at < ${new Date(toMs)} and coalesce(loss.back_at, 'infinity') > ${new Date(fromMs)}`.execute(db)
  return rows
}

const findIncident = (losses: readonly LossRow[], terminalId: number, atMs: number) => {
  const loss = losses.find(
    ({ terminal_id, lost_at, back_at }) =>
      terminal_id === terminalId &&
      lost_at.getTime() <= atMs &&
      (back_at?.getTime() ?? Number.POSITIVE_INFINITY) > atMs,
  )
  return loss ? { id: loss.id, cause: loss.cause } : null
}

export const listSpans = (ctx: Context, { kitnumber, kind, ...wanted }: RouteInput<typeof availability.terminal>) =>
  ctx.transaction(async (db, client) => {
    const { tenantId } = ctx
    const line = await getLine(client, tenantId, kitnumber)
    const { within, shown } = await findSpan(db, ctx, wanted)
    const { histories, planned } = await readHistories(db, tenantId, within, { lineId: line.id })
    const losses = await listLosses(db, tenantId, line.id, within)
    const known = histories.map(({ terminal, readHistory }) => ({ terminal, history: readHistory() }))
    const spans = known
      .flatMap(({ terminal, history }) =>
        listKinds(history, within).map(
          (span): AvailabilitySpan => ({
            kit: terminal.kit,
            kind: span.kind,
            from: new Date(span.fromMs),
            until: new Date(span.toMs),
            incident: span.kind === 'down' ? findIncident(losses, terminal.id, span.fromMs) : null,
            window: span.kind === 'planned' ? (planned.findWindow(terminal.id, span.fromMs)?.name ?? null) : null,
          }),
        ),
      )
      .filter((span) => kind === undefined || span.kind === kind)
      .sort((one, other) => other.from.getTime() - one.from.getTime())
    const periodMs = within.toMs - within.fromMs
    return {
      ...shown,
      name: line.custom_name ?? line.nickname,
      total: toFigures(addMeasured(known.map(({ history }) => measure(history, periodMs)))),
      spans: spans.slice(0, MAX_LISTED),
      isCut: spans.length > MAX_LISTED,
    }
  })
