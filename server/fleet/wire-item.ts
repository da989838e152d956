import type * as z from 'zod/mini'
import type { TerminalDetailsItem, TerminalListItem } from '#contract/terminals.ts'
import type { FleetRow } from './fleet-queries.ts'
import { formatItemId, getCoordinates } from './list-item.ts'

// Written by hand as the contract's codecs would write them: encoding 100,000 items through the codecs takes seconds.
type ListWire = z.input<typeof TerminalListItem>
type DetailsWire = z.input<typeof TerminalDetailsItem>
type PoolWire = Pick<DetailsWire, 'virtual_plan_name' | 'pool_current_usage' | 'pool_usage_limit'>
type MetadataWire = Pick<DetailsWire, 'metadata1' | 'metadata2' | 'metadata3'>

/** What the list shows of a terminal. */
export type ListRow = Pick<
  FleetRow,
  | 'group_name'
  | 'line_id'
  | 'place'
  | 'device_id'
  | 'service_line_number'
  | 'nickname'
  | 'custom_name'
  | 'status'
  | 'alerts'
  | 'is_mobile'
  | 'latitude'
  | 'longitude'
  | 'h3_cell'
  | 'street'
  | 'city'
  | 'state'
  | 'at'
>

export const joinAddresses = (addresses: string[] | null) => addresses?.join(', ') || null

export const toListWire = (row: ListRow, heartbeat: string | null): ListWire => {
  const place = getCoordinates(row)
  return {
    id: formatItemId(row),
    deviceID: row.device_id,
    serviceLine: row.service_line_number,
    nickname: row.nickname,
    customname: row.custom_name ?? row.nickname,
    status: row.status ?? 'no data',
    alerts: row.alerts?.length ? JSON.stringify(row.alerts) : '[]',
    isMobile: row.is_mobile,
    coordinates: place && JSON.stringify(place),
    street: row.street,
    city: row.city,
    state: row.state,
    lastSeen: row.at?.toISOString() ?? null,
    h: heartbeat,
  }
}

const blocksText = (blocks: FleetRow['data_blocks']) =>
  JSON.stringify(
    (blocks ?? []).map(({ dataBlockType, consumedAmountGB, totalAmountGB }) => ({
      dataBlockType,
      consumedAmountGB,
      totalAmountGB,
    })),
  )

export const toDetailsWire = (
  row: FleetRow,
): Omit<DetailsWire, keyof ListWire | keyof PoolWire | keyof MetadataWire> => ({
  kitnumber: row.kit_serial,
  serviceName: row.product_name,
  priority_GB: row.priority_gb,
  standard_GB: row.standard_gb,
  usage_limit_GB: row.usage_limit_gb,
  data_blocks: blocksText(row.data_blocks),
  opt_in_product_id: row.opt_in_product_id,
  ipv4: joinAddresses(row.ipv4),
  ipv6_ue: joinAddresses(row.ipv6_ue),
  ipv6_cpe: joinAddresses(row.ipv6_cpe),
  obstruction: row.obstruction,
  signal_quality: row.signal_quality,
  pingdrop: row.ping_drop,
  latency: row.latency_ms,
  uplink: row.uplink_mbps,
  downlink: row.downlink_mbps,
  clients: row.clients,
})

export const toPoolWire = (row: FleetRow): PoolWire => ({
  virtual_plan_name: row.pool_name,
  pool_current_usage: row.pool_used_gb,
  pool_usage_limit: row.pool_limit_gb,
})

export const toMetadataWire = ({ metadata1, metadata2, metadata3 }: FleetRow): MetadataWire => ({
  metadata1,
  metadata2,
  metadata3,
})
