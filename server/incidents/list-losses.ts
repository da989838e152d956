import { type RawBuilder, sql } from 'kysely'
import { judgedForMs } from '#contract/incidents.ts'
import type { Db } from '../platform/database/database.ts'
import type { Loss } from './loss.ts'

export interface StoredLoss extends Loss {
  incidentId: string | null
}

interface LossRow {
  terminal_id: number
  lost_at: Date
  back_at: Date | null
  disabled: boolean
  facts: Omit<Loss, 'terminalId' | 'lostAtMs' | 'backAtMs' | 'removedAtMs' | 'isDisabled'>
  incident_id: string | null
  removed_at: Date | null
}

const selectLosses = async (db: Db, tenantId: string, where: RawBuilder<unknown>): Promise<StoredLoss[]> => {
  const { rows } = await sql<LossRow>`
    select loss.terminal_id, loss.lost_at, loss.back_at, loss.disabled, loss.facts, loss.incident_id,
      least(terminal.removed_at, line.removed_at) as removed_at
    from terminal_losses as loss
    join terminals as terminal on terminal.tenant_id = loss.tenant_id and terminal.id = loss.terminal_id
    left join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
    where loss.tenant_id = ${tenantId} and (${where})`.execute(db)
  return rows.map(({ facts, ...row }) => ({
    ...facts,
    terminalId: row.terminal_id,
    lostAtMs: row.lost_at.getTime(),
    backAtMs: row.back_at?.getTime() ?? null,
    removedAtMs: row.removed_at?.getTime() ?? null,
    isDisabled: row.disabled,
    incidentId: row.incident_id,
  }))
}

interface NewLosses {
  first: Date | null
  last: Date | null
}

/**
 * The losses of everything that is new, ongoing, or ended shortly before, and of what was going on shortly before or after
 * new losses of the past.
 */
export const listJudgedLosses = async (db: Db, tenantId: string, until: Date) => {
  const { rows } = await sql<NewLosses>`
    select min(lost_at) as first, max(lost_at) as last from terminal_losses
    where tenant_id = ${tenantId} and incident_id is null`.execute(db)
  const { first, last } = rows[0] as NewLosses
  const before = (at: Date) => new Date(at.getTime() - judgedForMs)
  const isNear =
    first && last
      ? sql`or ended_at > ${before(first)} and started_at < ${new Date(last.getTime() + judgedForMs)}`
      : sql``
  // Found by their indexes: a large fleet has hundreds of thousands of losses.
  return selectLosses(
    db,
    tenantId,
    sql`incident_id is null or incident_id = any(array(
      select id from incidents
      where tenant_id = ${tenantId} and (ended_at is null or ended_at > ${before(until)} ${isNear})))`,
  )
}

export const listLossesSince = (db: Db, tenantId: string, since: Date) =>
  selectLosses(db, tenantId, sql`lost_at >= ${since}`)
