import { type RawBuilder, sql } from 'kysely'
import type { AssistantTerminal } from '#contract/support.ts'
import { isDisabled, type TerminalStatus } from '#contract/terminal-status.ts'
import type { Db } from '../platform/database/database.ts'

/** A terminal of a line, or a line without one, with the fields that the assistant uses. */
export interface VisibleTerminal {
  nickname: string
  custom_name: string | null
  service_line_number: string
  kit_serial: string | null
  status: TerminalStatus | null
  alerts: string[] | null
  since: Date | null
  last_seen: Date | null
  obstruction: number | null
  ping_drop: number | null
  latency_ms: number | null
  downlink_mbps: number | null
  used_gb: number | null
  limit_gb: number | null
  cycle_end: string | null
  pool_name: string | null
  pool_used_gb: number | null
  pool_limit_gb: number | null
}

/** The visible rows: row-level security filters out the lines and pools of other groups. */
export const listVisibleTerminals = async (
  db: Db,
  tenantId: string,
  condition: RawBuilder<unknown>,
  limit: number,
  order: RawBuilder<unknown> = sql`natural_key(coalesce(line.custom_name, line.nickname))`,
) => {
  const { rows } = await sql<VisibleTerminal>`
    select line.nickname, line.custom_name, line.service_line_number, terminal.kit_serial,
      status.status, latest.alerts, status.started_at as since, latest.at as last_seen,
      latest.obstruction, latest.ping_drop, latest.latency_ms, latest.downlink_mbps,
      usage.priority_gb as used_gb, usage.usage_limit_gb as limit_gb, usage.cycle_end::text as cycle_end,
      pool.name as pool_name, pool.used_gb as pool_used_gb, pool.usage_limit_gb + pool.top_up_gb as pool_limit_gb
    from service_lines as line
    left join terminals as terminal on terminal.tenant_id = line.tenant_id
      and terminal.service_line_id = line.id and terminal.removed_at is null
    left join latest on latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id
    left join status_intervals as status on status.tenant_id = terminal.tenant_id
      and status.terminal_id = terminal.id and status.ended_at is null
    left join lateral (
      select priority_gb, usage_limit_gb, cycle_end from line_usage
      where tenant_id = line.tenant_id and service_line_id = line.id order by cycle_start desc limit 1
    ) as usage on true
    left join pool_lines as member on member.tenant_id = line.tenant_id and member.service_line_id = line.id
    left join pools as pool on pool.tenant_id = member.tenant_id and pool.id = member.pool_id
    where line.tenant_id = ${tenantId} and line.removed_at is null and ${condition}
    order by ${order}, terminal.id
    limit ${limit}`.execute(db)
  return rows
}

export const getName = ({ custom_name, nickname }: Pick<VisibleTerminal, 'custom_name' | 'nickname'>) =>
  custom_name ?? nickname

export const toAssistantTerminal = (terminal: VisibleTerminal): AssistantTerminal => ({
  nickname: terminal.nickname,
  customname: getName(terminal),
  status: terminal.status ?? 'no data',
  isDisabled: isDisabled(terminal.alerts ?? []),
  since: terminal.since,
  lastSeen: terminal.last_seen,
})
