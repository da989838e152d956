import { sql } from 'kysely'
import { readPlannedTimes } from '../maintenance/planned-times.ts'
import type { Db } from '../platform/database/database.ts'
import { advanceEventClock } from '../platform/database/event-clock.ts'
import type { Decision } from './apply-decisions.ts'
import { findIncidents } from './find-incidents.ts'
import { listKnownTerminals } from './known-terminals.ts'
import { listJudgedLosses, type StoredLoss } from './list-losses.ts'
import { getLossKey } from './loss.ts'
import { type ReadClock, storeIncidents } from './store-incidents.ts'

/** Two transactions must not evaluate the same tenant at once, even if a lease expires. */
export const lockIncidents = (db: Db, tenantId: string) =>
  sql`select pg_advisory_xact_lock(hashtext('incidents'), hashtext(${tenantId}))`.execute(db)

interface DecisionRow {
  kind: Decision['kind']
  incident_id: string
  losses: { terminalId: number; lostAtMs: number }[]
}

/** The manual decisions about any of these losses. */
export const listDecisions = async (db: Db, tenantId: string, losses: readonly StoredLoss[]): Promise<Decision[]> => {
  const { rows } = await sql<DecisionRow>`
    select decision.kind, decision.incident_id, (
      select jsonb_agg(jsonb_build_object('terminalId', member.terminal_id,
        'lostAtMs', (extract(epoch from member.lost_at) * 1000)::bigint))
      from incident_decision_losses as member
      where member.tenant_id = ${tenantId} and member.decision_id = decision.id) as losses
    from incident_decisions as decision
    where decision.tenant_id = ${tenantId} and decision.withdrawn_at is null and exists (
      select from incident_decision_losses as member
      join unnest(
        ${losses.map(({ terminalId }) => terminalId)}::bigint[],
        ${losses.map(({ lostAtMs }) => new Date(lostAtMs).toISOString())}::timestamptz[]
      ) as loss (terminal_id, lost_at) on loss.terminal_id = member.terminal_id and loss.lost_at = member.lost_at
      where member.tenant_id = ${tenantId} and member.decision_id = decision.id)
    order by decision.decided_at, decision.id`.execute(db)
  return rows.map((row) => ({
    kind: row.kind,
    incidentId: row.incident_id,
    losses: new Set(row.losses.map(getLossKey)),
  }))
}

/** Adds to each loss the maintenance window in which it began. */
export const findWindows = async (db: Db, tenantId: string, losses: readonly StoredLoss[]): Promise<StoredLoss[]> => {
  if (losses.length === 0) return []
  const firstMs = losses.reduce((first, { lostAtMs }) => Math.min(first, lostAtMs), Number.POSITIVE_INFINITY)
  const planned = await readPlannedTimes(db, tenantId, new Date(firstMs))
  return losses.map((loss) => ({ ...loss, window: planned.findWindow(loss.terminalId, loss.lostAtMs) }))
}

/** Evaluates all losses that are new, ongoing, or ended shortly before `until`. Returns the incidents. */
export const judgeLosses = async (
  db: Db,
  tenantId: string,
  until: Date,
  { listTerminals = listKnownTerminals, readClock = advanceEventClock as ReadClock } = {},
) => {
  const losses = await findWindows(db, tenantId, await listJudgedLosses(db, tenantId, until))
  const terminals = losses.length > 0 ? await listTerminals(db, tenantId) : new Map()
  const decisions = losses.length > 0 ? await listDecisions(db, tenantId, losses) : []
  const found = findIncidents({ losses, terminals, decisions, atMs: until.getTime() })
  await storeIncidents(db, tenantId, found, losses, until, readClock)
  return found
}
