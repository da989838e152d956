import { formatCount } from '#contract/format/numbers.ts'
import type { TerminalDetailsItem } from '#contract/terminals.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import { type FleetSelection, filterFleet } from '../../parts/fleet/fleet-filter.ts'
import { listColumns } from '../../parts/fleet/list-columns.ts'
import {
  asPercent,
  computePercentConsumed,
  formatBuckets,
  formatKnownGb,
  formatKnownLatency,
  formatKnownPercent,
  formatKnownSpeed,
  limitGb,
  sumBucketsGb,
  sumGb,
} from '../../parts/fleet/measures.ts'
import { shownStatus, statusLabels } from '../../parts/status.ts'
import { createRowSearch, type SearchedColumn } from '../../ui/row-search.ts'
import { type CellValue, type Sort, sortRows } from '../../ui/table-rows.ts'

type Row = TerminalDetailsItem

type Search = Required<SearchedColumn<Row>>['search']

export interface FleetColumn {
  key: string
  header: string
  widthPx: number
  align?: 'right'
  /** The sort value. */
  value: (row: Row) => CellValue
  /** The displayed text. */
  text: (row: Row) => string
  /** The searched fields of the column. */
  search: Search
}

const words = (
  key: string,
  header: string,
  widthPx: number,
  value: (row: Row) => string | null,
  search: Search = value,
): FleetColumn => ({
  key,
  header,
  widthPx,
  value: (row) => value(row) || null,
  text: (row) => value(row) || '-',
  search,
})

const figure = (
  key: string,
  header: string,
  widthPx: number,
  value: (row: Row) => number | null,
  text: (value: number | null) => string,
  search: Search = value,
): FleetColumn => ({ key, header, widthPx, align: 'right', value, text: (row) => text(value(row)), search })

const countText = (count: number | null) => (count === null ? '-' : formatCount(count))

const joinIpv6 = ({ ipv6_ue, ipv6_cpe }: Row) => [ipv6_ue, ipv6_cpe].filter(Boolean).join(', ')

/** In the order of the product spec. */
export const fleetColumns: readonly FleetColumn[] = [
  words('name', 'Service Line Name', 240, getDisplayName),
  words('line', 'Service Line ID', 190, (row) => row.serviceLine),
  words('kit', 'KitNumber', 150, (row) => row.kitnumber),
  words('status', 'Online/Offline Status', 190, (row) => statusLabels[shownStatus(row)]),
  words(
    'optIn',
    'Opt In Status',
    130,
    (row) => (row.opt_in_product_id ? 'Opted In' : 'Opted Out'),
    (row) => row.opt_in_product_id,
  ),
  words('ipv4', 'ipv4', 140, (row) => row.ipv4),
  words('ipv6', 'ipv6', 280, joinIpv6),
  figure('total', 'Total Consumption', 160, sumGb, formatKnownGb, (row) => row.standard_GB),
  figure('priority', 'Priority Consumption', 190, (row) => row.priority_GB, formatKnownGb),
  figure('limit', 'Usage Limit', 160, limitGb, formatKnownGb, (row) => [row.pool_usage_limit, row.usage_limit_GB]),
  words(
    'plan',
    'Product Plan Name',
    220,
    (row) => row.virtual_plan_name ?? row.serviceName,
    (row) => [row.virtual_plan_name, row.serviceName],
  ),
  {
    key: 'buckets',
    header: 'Usage Buckets',
    widthPx: 230,
    value: sumBucketsGb,
    text: formatBuckets,
    search: (row) => row.data_blocks.map(({ dataBlockType }) => dataBlockType),
  },
  figure(
    'percent',
    'Percent Consumed',
    232,
    computePercentConsumed,
    formatKnownPercent,
    (row) => row.pool_current_usage,
  ),
  figure(
    'obstruction',
    'Current Obstruction',
    170,
    (row) => asPercent(row.obstruction),
    formatKnownPercent,
    (row) => row.obstruction,
  ),
  figure(
    'pingDrop',
    'Ping Drop Rate',
    140,
    (row) => asPercent(row.pingdrop),
    formatKnownPercent,
    (row) => row.pingdrop,
  ),
  figure('latency', 'Ping Latency', 130, (row) => row.latency, formatKnownLatency),
  figure('uplink', 'Uplink', 130, (row) => row.uplink, formatKnownSpeed),
  figure('downlink', 'Downlink', 130, (row) => row.downlink, formatKnownSpeed),
  figure('clients', 'Total Connected Clients', 210, (row) => row.clients, countText),
  words('metadata1', 'Metadata 1', 200, (row) => row.metadata1 ?? null),
  words('metadata2', 'Metadata 2', 200, (row) => row.metadata2 ?? null),
  words('metadata3', 'Metadata 3', 200, (row) => row.metadata3 ?? null),
]

const isInList = ({ key }: FleetColumn) => listColumns.some((column) => column.key === key)

/**
 * Searches all fields: those of the list, most of which the table does not show, and those of the table's columns.
 */
export const tableSearch = createRowSearch<Row>([...listColumns, ...fleetColumns.filter((column) => !isInList(column))])

export const defaultSort: Sort = { key: 'name', descending: false }

/** The matching rows, sorted by the chosen column. The input is sorted by name. */
export function arrangeRows(rows: readonly TerminalDetailsItem[], selection: FleetSelection, sort: Sort) {
  const matching = filterFleet(rows, selection, tableSearch)
  if (sort.key === defaultSort.key) return sort.descending ? matching.toReversed() : matching
  const column = fleetColumns.find(({ key }) => key === sort.key)
  return column ? sortRows(matching, column.value, sort.descending) : matching
}
