import { sql } from 'kysely'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import type { Db } from '../db.ts'

/** One terminal of a service line, or a line that has none, as the lists show it. */
export interface ListRow {
  line_id: number
  group_name: string
  service_line_number: string
  nickname: string
  custom_name: string | null
  is_mobile: boolean
  latitude: number | null
  longitude: number | null
  street: string | null
  city: string | null
  state: string | null
  device_id: string | null
  /** 1 for the line's first terminal. */
  place: number
  status: TerminalStatus | null
  alerts: string[] | null
  h3_cell: string | null
  at: Date | null
}

/** The rows of the tenant's lines, or of those named; a line that is gone has none. */
export const listFleetRows = async (
  db: Db,
  tenantId: string,
  lineIds: readonly number[] | 'all',
): Promise<ListRow[]> => {
  const chosen = lineIds === 'all' ? sql`` : sql`and line.id = any(${lineIds}::bigint[])`
  const { rows } = await sql<ListRow>`
    select line.id as line_id, line.group_name, line.service_line_number, line.nickname, line.custom_name,
      line.is_mobile, line.latitude, line.longitude, line.street, line.city, line.state,
      terminal.device_id, row_number() over (partition by line.id order by terminal.id)::integer as place,
      status.status, latest.alerts, latest.h3_cell, latest.at
    from service_lines as line
    left join terminals as terminal on terminal.tenant_id = line.tenant_id
      and terminal.service_line_id = line.id and terminal.removed_at is null
    left join latest on latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id
    left join status_intervals as status on status.tenant_id = terminal.tenant_id
      and status.terminal_id = terminal.id and status.ended_at is null
    where line.tenant_id = ${tenantId} and line.removed_at is null ${chosen}
    order by line.id, place`.execute(db)
  return rows
}
