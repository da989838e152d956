import { getAlertTitle } from '#contract/alerts.ts'
import { buildNaturalKey, compareKeys } from '#contract/format/natural-order.ts'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { formatPlace } from '#contract/format/places.ts'
import { formatDateTime } from '#contract/format/times.ts'
import type { ViewPage, ViewState } from '#contract/saved-views.ts'
import { shownStatus, shownStatuses } from '#contract/shown-status.ts'
import type { TerminalDetailsItem } from '#contract/terminals.ts'
import { type FleetRow, listFleetRows } from '../fleet/fleet-queries.ts'
import { formatItemId, getCoordinates } from '../fleet/list-item.ts'
import { joinAddresses } from '../fleet/wire-item.ts'
import type { Db } from '../platform/database/database.ts'
import { markStatus } from './mark-status.ts'
import { matchInTurns } from './match-in-turns.ts'

/** A longer page would be of no use. */
export const MAX_SHOWN = 500

/** The values that a search can match. */
const toTerminal = (row: FleetRow): TerminalDetailsItem => ({
  id: formatItemId(row),
  deviceID: row.device_id,
  serviceLine: row.service_line_number,
  nickname: row.nickname,
  customname: row.custom_name ?? row.nickname,
  status: row.status ?? 'no data',
  alerts: row.alerts ?? [],
  isMobile: row.is_mobile,
  coordinates: getCoordinates(row),
  street: row.street,
  city: row.city,
  state: row.state,
  lastSeen: row.at,
  kitnumber: row.kit_serial,
  serviceName: row.product_name,
  priority_GB: row.priority_gb,
  standard_GB: row.standard_gb,
  usage_limit_GB: row.usage_limit_gb,
  virtual_plan_name: row.pool_name,
  pool_current_usage: row.pool_used_gb,
  pool_usage_limit: row.pool_limit_gb,
  data_blocks: row.data_blocks ?? [],
  opt_in_product_id: row.opt_in_product_id,
  ipv4: joinAddresses(row.ipv4),
  ipv6_ue: joinAddresses(row.ipv6_ue),
  ipv6_cpe: joinAddresses(row.ipv6_cpe),
  obstruction: row.obstruction,
  pingdrop: row.ping_drop,
  latency: row.latency_ms,
  uplink: row.uplink_mbps,
  downlink: row.downlink_mbps,
  clients: row.clients,
  metadata1: row.metadata1,
  metadata2: row.metadata2,
  metadata3: row.metadata3,
})

/** The cells of each terminal: its name and its state. */
const toCells = (terminal: TerminalDetailsItem, timeZone: string) => [
  terminal.customname || terminal.nickname,
  markStatus(shownStatus(terminal)),
  terminal.lastSeen ? formatDateTime(terminal.lastSeen, timeZone) : '-',
  formatPlace(terminal),
  terminal.alerts.map(getAlertTitle).join(', ') || '-',
]

/** The terminals that a view currently selects, by name, of those visible to the transaction. */
export const listViewTerminals = async (
  db: Db,
  { tenantId, timeZone, now }: { tenantId: string; timeZone: string; now: Date },
  { page, state }: { page: ViewPage; state: ViewState },
) => {
  const rows = await listFleetRows(db, tenantId, 'all')
  const found = (await matchInTurns(rows, toTerminal, page, state, now.getTime()))
    .map((terminal) => ({ terminal, key: buildNaturalKey(terminal.customname || terminal.nickname) }))
    .sort((a, b) => compareKeys(a.key, b.key) || compareKeys(a.terminal.id, b.terminal.id))
    .map(({ terminal }) => terminal)
  const shares = shownStatuses.flatMap((status) => {
    const count = found.filter((terminal) => shownStatus(terminal) === status).length
    return count === 0 ? [] : [[markStatus(status), formatCount(count)] as const]
  })
  return {
    summary:
      found.length > MAX_SHOWN
        ? `The first ${formatCount(MAX_SHOWN)} of ${formatCounted(found.length, 'terminal')}, by name.`
        : formatCounted(found.length, 'terminal'),
    shares,
    headers: ['Terminal', 'Status', 'Last seen', 'Place', 'Alerts'],
    rows: found.slice(0, MAX_SHOWN).map((terminal) => toCells(terminal, timeZone)),
  }
}
