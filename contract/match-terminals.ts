import { fold } from './format/fold.ts'
import type { ViewPage, ViewState } from './saved-views.ts'
import { parseSearch } from './search-terms.ts'
import { shownStatus, statusLabels } from './shown-status.ts'
import type { TerminalDetailsItem } from './terminals.ts'

type Value = string | number | null | undefined

/** The values that the dashboard searches. */
const listValues = (terminal: TerminalDetailsItem): Value[] => {
  const { customname, nickname, deviceID, status, alerts, isMobile, coordinates, street, city, state } = terminal
  return [
    customname,
    nickname,
    deviceID,
    statusLabels[shownStatus(terminal)],
    status,
    ...alerts,
    isMobile ? 'Mobile' : null,
    coordinates?.join(', '),
    street,
    city,
    city && state && `${city}, ${state}`,
    state,
  ]
}

/** The additional values that the table searches. */
const tableValues = (terminal: TerminalDetailsItem): Value[] => [
  terminal.kitnumber,
  terminal.opt_in_product_id,
  terminal.ipv4,
  [terminal.ipv6_ue, terminal.ipv6_cpe].filter(Boolean).join(', '),
  terminal.standard_GB,
  terminal.priority_GB,
  terminal.pool_usage_limit,
  terminal.usage_limit_GB,
  terminal.virtual_plan_name,
  terminal.serviceName,
  ...terminal.data_blocks.map((block) => block.dataBlockType),
  terminal.pool_current_usage,
  terminal.obstruction,
  terminal.pingdrop,
  terminal.latency,
  terminal.uplink,
  terminal.downlink,
  terminal.clients,
  terminal.metadata1,
  terminal.metadata2,
  terminal.metadata3,
]

/** The terminals that a saved view selects, as on its page. */
export function matchTerminals(
  terminals: readonly TerminalDetailsItem[],
  page: ViewPage,
  { status, alert, q = '' }: ViewState,
  nowMs: number,
): TerminalDetailsItem[] {
  const { text, matches } = parseSearch(q)
  const wanted = fold(text)
  const hasText = (terminal: TerminalDetailsItem) =>
    [...listValues(terminal), terminal.serviceLine, ...(page === 'table' ? tableValues(terminal) : [])].some(
      (value) => value !== null && value !== undefined && fold(String(value)).includes(wanted),
    )
  return terminals.filter(
    (terminal) =>
      (status === undefined || shownStatus(terminal) === status) &&
      (alert === undefined || terminal.alerts.includes(alert)) &&
      (wanted === '' || hasText(terminal)) &&
      (!matches || matches(terminal, { nowMs, pools: undefined })),
  )
}
