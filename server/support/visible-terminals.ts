import { type RawBuilder, sql } from 'kysely'
import { type MeasureName, measures } from '#contract/measures.ts'
import type { AssistantTerminal } from '#contract/support.ts'
import { isDisabled, type TerminalStatus } from '#contract/terminal-status.ts'
import type { Db } from '../platform/database/database.ts'

/** A terminal of a line, or a line without one, with the fields that the assistant uses. */
export interface VisibleTerminal extends Record<MeasureName, number | null> {
  /** Null for a line without a terminal. */
  id: number | null
  nickname: string
  custom_name: string | null
  service_line_number: string
  kit_serial: string | null
  status: TerminalStatus | null
  alerts: string[] | null
  since: Date | null
  last_seen: Date | null
  used_gb: number | null
  limit_gb: number | null
  cycle_end: string | null
  pool_name: string | null
  pool_used_gb: number | null
  pool_limit_gb: number | null
  uptime_s: number | null
  software_version: string | null
  /** The devices connected to its routers, and when a router last reported them. */
  clients: number | null
  clients_at: Date | null
  ipv4: string[] | null
  ipv6_ue: string[] | null
  ipv6_cpe: string[] | null
  public_ip: boolean
  product_name: string | null
  group_name: string
  device_id: string | null
  is_mobile: boolean
  latitude: number | null
  longitude: number | null
  h3_cell: string | null
  street: string | null
  city: string | null
  state: string | null
  metadata1: string | null
  metadata2: string | null
  metadata3: string | null
}

/** Of `latest` by the name of its measure. */
const newestValues = sql.raw(measures.map(({ name, sampleColumn }) => `latest.${sampleColumn} as ${name}`).join(', '))

/** The newest counts of the terminal's routers. */
const selectClients = (what: RawBuilder<unknown>) => sql`(
  select ${what} from routers as router
  join latest_routers as newest on newest.tenant_id = router.tenant_id and newest.router_id = router.id
  where router.tenant_id = terminal.tenant_id and router.terminal_id = terminal.id and router.removed_at is null
    and newest.clients is not null)`

export const clientsOfTerminal = selectClients(sql`sum(newest.clients)::integer`)

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
      terminal.id, terminal.device_id, ${newestValues}, latest.uptime_s, latest.software_version, latest.h3_cell,
      ${clientsOfTerminal} as clients, ${selectClients(sql`max(newest.at)`)} as clients_at,
      address.ipv4, address.ipv6_ue, address.ipv6_cpe, line.public_ip, line.product_name, line.group_name,
      line.is_mobile, line.latitude, line.longitude, line.street, line.city, line.state,
      line.metadata1, line.metadata2, line.metadata3,
      usage.priority_gb as used_gb, usage.usage_limit_gb as limit_gb, usage.cycle_end::text as cycle_end,
      pool.name as pool_name, pool.used_gb as pool_used_gb, pool.usage_limit_gb + pool.top_up_gb as pool_limit_gb
    from service_lines as line
    left join terminals as terminal on terminal.tenant_id = line.tenant_id
      and terminal.service_line_id = line.id and terminal.removed_at is null
    left join latest on latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id
    left join latest_addresses as address on address.tenant_id = terminal.tenant_id
      and address.terminal_id = terminal.id
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
