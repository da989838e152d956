import { type CommandKind, type CommandState, receiptsShown } from '#contract/command-receipt.ts'
import type { DataBlock } from '#contract/data-block.ts'
import { type MeasureName, measures } from '#contract/measures.ts'
import type { SnowMeltMode } from '#contract/snow-melt.ts'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import type { Read } from '../platform/database/database.ts'
import { selectLineByName } from '../service-lines/get-line.ts'

export interface RouterFacts {
  router_id: string
  hardware_version: string | null
  clients: number | null
  uptime_s: number | null
  at: string | null
  is_repeater: boolean | null
  is_bypassed: boolean | null
  software_version: string | null
}

export interface TerminalFacts extends Record<MeasureName, number | null> {
  id: number
  credential_id: number
  kit_serial: string | null
  device_id: string
  snow_melt_mode: SnowMeltMode | null
  at: string | null
  uptime_s: number | null
  alerts: string[] | null
  h3_cell: string | null
  status: TerminalStatus | null
  ipv4: string[] | null
  ipv6_ue: string[] | null
  ipv6_cpe: string[] | null
  routers: RouterFacts[]
}

export interface ReceiptFacts {
  id: number
  kind: CommandKind
  desired: string | null
  device_id: string | null
  state: CommandState
  requested_by: string
  requested_at: string
  accepted_at: string | null
  settled_at: string | null
  problem: string | null
}

/** Everything about a service line except its signals. Times inside lists are text, as in PostgreSQL's JSON. */
export interface LineFacts {
  service_line_number: string
  nickname: string
  custom_name: string | null
  metadata1: string | null
  metadata2: string | null
  metadata3: string | null
  public_ip: boolean
  opt_in_product_id: string | null
  product_name: string | null
  is_mobile: boolean
  street: string | null
  city: string | null
  state: string | null
  latitude: number | null
  longitude: number | null
  terminals: TerminalFacts[]
  /** The cells of the last day before the newest sample, oldest first; null for a stationary line. */
  track: string[] | null
  pool: { name: string; lines: number; used_gb: number; limit_gb: number } | null
  cycle: {
    start: string
    end: string
    data_blocks: DataBlock[]
    priority_gb: number
    usage_limit_gb: number | null
    standard_gb: number
  } | null
  /** The first day of this year that the vendor has reported. */
  first_day: string | null
  days: { day: string; priority_gb: number; standard_gb: number }[]
  receipts: ReceiptFacts[]
}

// Each list is one JSON value, because an array of JSON is parsed much more slowly.
const text = `
  select line.service_line_number, line.nickname, line.custom_name, line.metadata1, line.metadata2, line.metadata3,
    line.public_ip, line.opt_in_product_id, line.product_name, line.is_mobile, line.street, line.city, line.state,
    line.latitude, line.longitude,
    array_to_json(array(
      select json_build_object(
        'id', terminal.id, 'credential_id', terminal.credential_id, 'kit_serial', terminal.kit_serial,
        'device_id', terminal.device_id,
        'snow_melt_mode', (
          select config.mode from snow_melt_configs as config
          where config.tenant_id = terminal.tenant_id and config.config_id = terminal.config_id
          order by config.mode limit 1),
        'at', latest.at, 'uptime_s', latest.uptime_s, 'alerts', latest.alerts, 'h3_cell', latest.h3_cell,
        ${measures.map(({ name, sampleColumn }) => `'${name}', latest.${sampleColumn}`).join(', ')},
        'status', status.status, 'ipv4', address.ipv4, 'ipv6_ue', address.ipv6_ue, 'ipv6_cpe', address.ipv6_cpe,
        'routers', array(
          select json_build_object(
            'router_id', router.router_id, 'hardware_version', router.hardware_version, 'clients', newest.clients,
            'uptime_s', newest.uptime_s, 'at', newest.at, 'is_repeater', newest.is_repeater,
            'is_bypassed', newest.is_bypassed, 'software_version', newest.software_version)
          from routers as router
          left join latest_routers as newest on newest.tenant_id = router.tenant_id and newest.router_id = router.id
          where router.tenant_id = terminal.tenant_id and router.terminal_id = terminal.id and router.removed_at is null
          order by router.id))
      from terminals as terminal
      left join latest on latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id
      left join latest_addresses as address on address.tenant_id = terminal.tenant_id
        and address.terminal_id = terminal.id
      left join status_intervals as status on status.tenant_id = terminal.tenant_id
        and status.terminal_id = terminal.id and status.ended_at is null
      where terminal.tenant_id = line.tenant_id and terminal.service_line_id = line.id and terminal.removed_at is null
      order by terminal.id
    )) as terminals,
    case when line.is_mobile then array_to_json(array(
      select point.h3_cell
      from terminals as terminal
      join latest on latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id
      join track_points as point on point.tenant_id = terminal.tenant_id and point.terminal_id = terminal.id
        and point.at > latest.at - interval '24 hours'
      where terminal.tenant_id = line.tenant_id and terminal.service_line_id = line.id and terminal.removed_at is null
      order by terminal.id, point.at
    )) end as track,
    (
      select json_build_object('name', pool.name, 'used_gb', pool.used_gb,
        'limit_gb', pool.usage_limit_gb + pool.top_up_gb,
        'lines', (select count(*) from pool_lines as each
          where each.tenant_id = pool.tenant_id and each.pool_id = pool.id))
      from pool_lines as member
      join pools as pool on pool.tenant_id = member.tenant_id and pool.id = member.pool_id
      where member.tenant_id = line.tenant_id and member.service_line_id = line.id
    ) as pool,
    (
      select json_build_object('start', usage.cycle_start, 'end', usage.cycle_end, 'data_blocks', usage.data_blocks,
        'priority_gb', usage.priority_gb, 'usage_limit_gb', usage.usage_limit_gb, 'standard_gb', usage.standard_gb)
      from line_usage as usage
      where usage.tenant_id = line.tenant_id and usage.service_line_id = line.id and usage.cycle_start <= $4::date
      order by usage.cycle_start desc
      limit 1
    ) as cycle,
    (
      select case when count(*) > 0 then greatest($3::date, min(usage.cycle_start)) end from line_usage as usage
      where usage.tenant_id = line.tenant_id and usage.service_line_id = line.id
    )::text as first_day,
    array_to_json(array(
      select json_build_object('day', usage.day, 'priority_gb', usage.priority_gb, 'standard_gb', usage.standard_gb)
      from daily_usage as usage
      where usage.tenant_id = line.tenant_id and usage.service_line_id = line.id
        and usage.day >= $3::date and usage.day <= $4::date
      order by usage.day
    )) as days,
    array_to_json(array(
      select json_build_object(
        'id', command.id, 'kind', command.kind, 'desired', command.desired, 'device_id', terminal.device_id,
        'state', command.state, 'requested_by', command.requested_by, 'requested_at', command.requested_at,
        'accepted_at', command.accepted_at, 'settled_at', command.settled_at, 'problem', command.problem)
      from commands as command
      left join terminals as terminal on terminal.tenant_id = command.tenant_id and terminal.id = command.terminal_id
      where command.tenant_id = line.tenant_id and command.service_line_id = line.id
      order by command.id desc
      limit ${receiptsShown}
    )) as receipts
  from (${selectLineByName()}) as line`

interface FactsQuery {
  tenantId: string
  /** The line's nickname, kit number or service line number. */
  key: string
  yearStart: string
  today: string
}

/** Reads everything about a line in one query. */
export const findLineFacts = async (read: Read, { tenantId, key, yearStart, today }: FactsQuery) => {
  const rows = await read<LineFacts>({ name: 'line-facts', text, values: [tenantId, key, yearStart, today] })
  return rows[0]
}
