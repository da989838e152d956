import { sql } from 'kysely'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import type { Db } from '../platform/database/database.ts'
import type { Moment } from './read-versions.ts'

/** How far the vendor's clocks may be ahead of ours. */
const CLOCK_SKEW = sql`interval '1 hour'`

/**
 * The statuses that were known then; for most terminals the current one. None was known before the account was connected,
 * and its history was imported later: an interval that continues from there was only noted at the connection.
 */
export const readStatuses = async (db: Db, { tenantId, at, lineIds }: Moment, ids: readonly number[]) => {
  // Two statements: without statistics the planner would use a nested loop over all terminals and intervals. One row for each
  // status, because reading one for each terminal takes several times as long.
  const { rows: present } = await sql<{ status: TerminalStatus; ids: string }>`
    select status, string_agg(terminal_id::text, ',') as ids from status_intervals
    where tenant_id = ${tenantId} and ended_at is null and noted_at <= ${at} and started_at <= ${at}::timestamptz + ${CLOCK_SKEW}
      ${lineIds ? sql`and terminal_id = any(${ids}::bigint[])` : sql``}
    group by status`.execute(db)
  const statuses = new Map<number, TerminalStatus | null>()
  for (const { status, ids: terminalIds } of present)
    for (const id of terminalIds.split(',')) statuses.set(Number(id), status)
  const changed = ids.filter((id) => !statuses.has(id))
  if (changed.length === 0) return statuses
  const { rows } = await sql<{ id: number; status: TerminalStatus | null }>`
    select terminal.id, (
      select status.status from status_intervals as status
      where status.tenant_id = ${tenantId} and status.terminal_id = terminal.id
        and status.started_at <= ${at}::timestamptz + ${CLOCK_SKEW}
        and (status.noted_at <= ${at} or ${at} < credential.created_at and status.started_at <= ${at})
      order by status.started_at desc limit 1) as status
    from terminals as terminal
    join vendor_credentials as credential
      on credential.tenant_id = terminal.tenant_id and credential.id = terminal.credential_id
    where terminal.tenant_id = ${tenantId} and terminal.id = any(${changed}::bigint[])`.execute(db)
  for (const row of rows) statuses.set(row.id, row.status)
  return statuses
}
