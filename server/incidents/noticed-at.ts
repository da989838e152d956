import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { getLossKey, type Loss } from './loss.ts'

const DAY_MS = 86_400_000
/** The usual delay until a loss is noticed. */
const NOTICED_AFTER_MS = 195_000

type Found = Pick<Loss, 'terminalId' | 'lostAtMs'> & { incidentId: string | null }

/** Of losses that belong to no incident yet, those of a time before the account was connected. */
export const listImported = async (db: Db, tenantId: string, losses: readonly Found[]): Promise<Set<string>> => {
  const begun = losses.filter(({ incidentId }) => incidentId === null)
  if (begun.length === 0) return new Set()
  const { rows } = await sql<{ terminal_id: number; started_at: Date }>`
    select status.terminal_id, status.started_at
    from unnest(
      ${begun.map(({ terminalId }) => terminalId)}::bigint[],
      ${begun.map(({ lostAtMs }) => new Date(lostAtMs).toISOString())}::timestamptz[]
    ) as loss (terminal_id, lost_at)
    join status_intervals as status on status.tenant_id = ${tenantId} and status.terminal_id = loss.terminal_id
      and status.started_at = loss.lost_at and status.noted_at = status.started_at`.execute(db)
  return new Set(rows.map((row) => getLossKey({ terminalId: row.terminal_id, lostAtMs: row.started_at.getTime() })))
}

/**
 * When a loss was noticed. History that is imported is dated as if it had been evaluated in time, so that it is not
 * reported as new, and time travel shows it.
 */
export const getNoticedAt = (loss: Pick<Loss, 'terminalId' | 'lostAtMs'>, now: Date, imported: ReadonlySet<string>) => {
  const isPast = imported.has(getLossKey(loss)) || now.getTime() - loss.lostAtMs > 2 * DAY_MS
  return isPast ? new Date(Math.min(loss.lostAtMs + NOTICED_AFTER_MS, now.getTime())) : now
}
