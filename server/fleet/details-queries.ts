import { sql } from 'kysely'
import type { TerminalDetailsItem } from '#contract/terminals.ts'
import type { Db } from '../db.ts'
import { listItemOf } from './list-item.ts'
import type { ListRow } from './list-queries.ts'

interface DetailsRow extends ListRow {
  kit_serial: string | null
  product_name: string | null
  priority_gb: number | null
  standard_gb: number | null
  usage_limit_gb: number | null
  data_blocks: TerminalDetailsItem['data_blocks'] | null
  opt_in_product_id: string | null
  ipv4: string[] | null
  ipv6_ue: string[] | null
  ipv6_cpe: string[] | null
  obstruction: number | null
  ping_drop: number | null
  latency_ms: number | null
  uplink_mbps: number | null
  downlink_mbps: number | null
  clients: number | null
  metadata1: string | null
  metadata2: string | null
  metadata3: string | null
}

const joined = (addresses: string[] | null) => addresses?.join(', ') || null

const detailsItemOf = (row: DetailsRow, seesMetadata: boolean): TerminalDetailsItem => ({
  ...listItemOf(row),
  kitnumber: row.kit_serial,
  serviceName: row.product_name,
  priority_GB: row.priority_gb,
  standard_GB: row.standard_gb,
  usage_limit_GB: row.usage_limit_gb,
  virtual_plan_name: null,
  pool_current_usage: null,
  pool_usage_limit: null,
  data_blocks: row.data_blocks ?? [],
  opt_in_product_id: row.opt_in_product_id,
  ipv4: joined(row.ipv4),
  ipv6_ue: joined(row.ipv6_ue),
  ipv6_cpe: joined(row.ipv6_cpe),
  obstruction: row.obstruction,
  pingdrop: row.ping_drop,
  latency: row.latency_ms,
  uplink: row.uplink_mbps,
  downlink: row.downlink_mbps,
  clients: row.clients,
  ...(seesMetadata && { metadata1: row.metadata1, metadata2: row.metadata2, metadata3: row.metadata3 }),
})

/** The terminals of the tenant, or of the group the transaction is bound to, with usage of the current cycle. */
export const listDetails = async (
  db: Db,
  tenantId: string,
  { seesMetadata }: { seesMetadata: boolean },
): Promise<TerminalDetailsItem[]> => {
  const { rows } = await sql<DetailsRow>`
    select line.id as line_id, line.group_name, line.service_line_number, line.nickname, line.custom_name,
      line.is_mobile, line.latitude, line.longitude, line.street, line.city, line.state, line.product_name,
      line.opt_in_product_id, line.metadata1, line.metadata2, line.metadata3,
      terminal.device_id, terminal.kit_serial,
      row_number() over (partition by line.id order by terminal.id)::integer as place,
      status.status, latest.alerts, latest.h3_cell, latest.at, latest.obstruction, latest.ping_drop, latest.latency_ms,
      latest.uplink_mbps, latest.downlink_mbps, address.ipv4, address.ipv6_ue, address.ipv6_cpe, router.clients,
      usage.priority_gb, usage.standard_gb, usage.usage_limit_gb, usage.data_blocks
    from service_lines as line
    left join terminals as terminal on terminal.tenant_id = line.tenant_id
      and terminal.service_line_id = line.id and terminal.removed_at is null
    left join latest on latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id
    left join latest_addresses as address on address.tenant_id = terminal.tenant_id
      and address.terminal_id = terminal.id
    left join status_intervals as status on status.tenant_id = terminal.tenant_id
      and status.terminal_id = terminal.id and status.ended_at is null
    left join (
      select routers.terminal_id, sum(newest.clients)::integer as clients
      from routers
      join latest_routers as newest on newest.tenant_id = routers.tenant_id and newest.router_id = routers.id
      where routers.tenant_id = ${tenantId} and routers.removed_at is null
      group by routers.terminal_id
    ) as router on router.terminal_id = terminal.id
    left join (
      select distinct on (service_line_id) service_line_id, priority_gb, standard_gb, usage_limit_gb, data_blocks
      from line_usage
      where tenant_id = ${tenantId}
      order by service_line_id, cycle_start desc
    ) as usage on usage.service_line_id = line.id
    where line.tenant_id = ${tenantId} and line.removed_at is null
    order by line.id, place`.execute(db)
  return rows.map((row) => detailsItemOf(row, seesMetadata))
}
