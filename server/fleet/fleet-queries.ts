import { sql } from 'kysely'
import type { DataBlock } from '#contract/data-block.ts'
import { measures } from '#contract/measures.ts'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import type { Db } from '../platform/database/database.ts'

export const measureColumns = measures.map(({ sampleColumn }) => sampleColumn)

/** The newest values of a terminal. */
export type MeasureColumns = Record<(typeof measureColumns)[number], number | null>

const latestValues = sql.raw(measureColumns.map((column) => `latest.${column}`).join(', '))

/** One terminal of a service line, or a line without a terminal, with every value that the lists show. */
export interface FleetRow extends MeasureColumns {
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
  product_name: string | null
  opt_in_product_id: string | null
  metadata1: string | null
  metadata2: string | null
  metadata3: string | null
  device_id: string | null
  kit_serial: string | null
  /** 1 for the line's first terminal. */
  place: number
  status: TerminalStatus | null
  alerts: string[] | null
  h3_cell: string | null
  at: Date | null
  ipv4: string[] | null
  ipv6_ue: string[] | null
  ipv6_cpe: string[] | null
  clients: number | null
  priority_gb: number | null
  standard_gb: number | null
  usage_limit_gb: number | null
  data_blocks: DataBlock[] | null
  pool_name: string | null
  /** Null while the pool's lines belong to several customers. */
  pool_group: string | null
  pool_used_gb: number | null
  pool_limit_gb: number | null
}

/** A row of the current fleet. Null for a line without a terminal, and before the first status. */
export interface PresentRow extends FleetRow {
  terminal_id: number | null
  credential_id: number | null
  is_down: boolean | null
}

/** The rows of all lines of the tenant, or of the given ones. Removed lines have no row. Usage is that of the newest cycle. */
export const listFleetRows = async (
  db: Db,
  tenantId: string,
  lineIds: readonly number[] | 'all',
): Promise<PresentRow[]> => {
  const isAll = lineIds === 'all'
  // After the first inventory the planner has no statistics yet, assumes empty tables, and spends minutes in nested loops
  // over 100,000 rows. A whole fleet is always read with hash joins.
  if (isAll) await sql`set local enable_nestloop = off`.execute(db)
  const lines = isAll ? sql`` : sql`and line.id = any(${lineIds}::bigint[])`
  const usages = isAll ? sql`` : sql`and service_line_id = any(${lineIds}::bigint[])`
  const routers = isAll
    ? sql``
    : sql`and routers.terminal_id in (
        select id from terminals where tenant_id = ${tenantId} and service_line_id = any(${lineIds}::bigint[]))`
  const { rows } = await sql<PresentRow>`
    select line.id as line_id, line.group_name, line.service_line_number, line.nickname, line.custom_name,
      line.is_mobile, line.latitude, line.longitude, line.street, line.city, line.state, line.product_name,
      line.opt_in_product_id, line.metadata1, line.metadata2, line.metadata3,
      terminal.id as terminal_id, terminal.credential_id, terminal.device_id, terminal.kit_serial,
      status.status <> 'online' or status.disabled as is_down,
      row_number() over (partition by line.id order by terminal.id)::integer as place,
      status.status, latest.alerts, latest.h3_cell, latest.at, ${latestValues},
      address.ipv4, address.ipv6_ue, address.ipv6_cpe, router.clients,
      usage.priority_gb, usage.standard_gb, usage.usage_limit_gb, usage.data_blocks,
      pool.name as pool_name, pool.group_name as pool_group, pool.used_gb as pool_used_gb,
      pool.usage_limit_gb + pool.top_up_gb as pool_limit_gb
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
      where routers.tenant_id = ${tenantId} and routers.removed_at is null ${routers}
      group by routers.terminal_id
    ) as router on router.terminal_id = terminal.id
    left join (
      select distinct on (service_line_id) service_line_id, priority_gb, standard_gb, usage_limit_gb, data_blocks
      from line_usage
      where tenant_id = ${tenantId} ${usages}
      order by service_line_id, cycle_start desc
    ) as usage on usage.service_line_id = line.id
    left join pool_lines as member on member.tenant_id = line.tenant_id and member.service_line_id = line.id
    left join pools as pool on pool.tenant_id = member.tenant_id and pool.id = member.pool_id
    where line.tenant_id = ${tenantId} and line.removed_at is null ${lines}
    order by line.id, place`.execute(db)
  return rows
}
