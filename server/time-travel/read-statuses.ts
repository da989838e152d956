import { sql } from 'kysely'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import type { Db } from '../platform/database/database.ts'
import { toIdArray } from '../platform/database/id-array.ts'
import type { Moment } from './read-versions.ts'

/** How far the vendor's clocks may be ahead of ours. */
const CLOCK_SKEW = sql`interval '1 hour'`

interface TerminalsByStatus {
  status: TerminalStatus
  ids: string
}

/**
 * The statuses that were known then; for most terminals the current one. None was known before the account was connected,
 * and its history was imported later: an interval that continues from there was only noted at the connection.
 */
export const readStatuses = async (db: Db, { tenantId, at, lineIds }: Moment, ids: readonly number[]) => {
  // Two statements: without statistics the planner would use a nested loop over all terminals and intervals. One row for each
  // status, because reading one for each terminal takes several times as long.
  const { rows: present } = await sql<TerminalsByStatus>`
    select status, string_agg(terminal_id::text, ',') as ids from status_intervals
    where tenant_id = ${tenantId} and ended_at is null and noted_at <= ${at} and started_at <= ${at}::timestamptz + ${CLOCK_SKEW}
      ${lineIds ? sql`and terminal_id = any(${toIdArray(ids)})` : sql``}
    group by status`.execute(db)
  const statuses = new Map<number, TerminalStatus>()
  const add = ({ status, ids: terminalIds }: TerminalsByStatus) => {
    for (const id of terminalIds.split(',')) statuses.set(Number(id), status)
  }
  for (const group of present) add(group)
  const changed = ids.filter((id) => !statuses.has(id))
  if (changed.length === 0) return statuses
  const { rows: past } = await sql<TerminalsByStatus>`
    select status, string_agg(id::text, ',') as ids from (
      select terminal.id, (
        select status.status from status_intervals as status
        where status.tenant_id = ${tenantId} and status.terminal_id = terminal.id
          and status.started_at <= ${at}::timestamptz + ${CLOCK_SKEW}
          and (status.noted_at <= ${at} or ${at} < credential.created_at and status.started_at <= ${at})
        order by status.started_at desc limit 1) as status
      from terminals as terminal
      join vendor_credentials as credential
        on credential.tenant_id = terminal.tenant_id and credential.id = terminal.credential_id
      where terminal.tenant_id = ${tenantId} and terminal.id = any(${toIdArray(changed)})
      offset 0) as known
    where status is not null
    group by status`.execute(db)
  for (const group of past) add(group)
  return statuses
}
