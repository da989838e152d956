import type { CommandReceipt } from '#contract/command-receipt.ts'
import { type MeasureName, mapMeasures } from '#contract/measures.ts'
import type { Router, SignalExtremes, Span, TerminalData, TerminalDetail } from '#contract/terminal-detail.ts'
import { getCellCenter, getCoordinates } from '../fleet/list-item.ts'
import { joinAddresses } from '../fleet/wire-item.ts'
import { addDays, type Day } from '../plans/days.ts'
import type { LineFacts, ReceiptFacts, RouterFacts, TerminalFacts } from './facts.ts'
import type { LastKnown } from './last-known.ts'
import type { Signals } from './signals.ts'

/** The signals of a terminal, and the values that its newest sample lacks. */
export interface DetailSignals extends Signals {
  lastKnown: ReadonlyMap<MeasureName, LastKnown>
}

const toDate = (text: string | null) => (text === null ? null : new Date(text))

const toRouter = (router: RouterFacts): Router => ({
  router_id: router.router_id,
  hardware_version: router.hardware_version,
  clients: router.clients,
  wifi_uptime_S: router.uptime_s,
  update_from_telemetry: toDate(router.at),
  wifi_is_repeater: router.is_repeater,
  wifi_is_bypass: router.is_bypassed,
  wifi_software_version: router.software_version,
})

/** The newest sample counts even if it is older than the period. */
const addNewest = (terminal: TerminalFacts, { extremes, lastKnown }: DetailSignals): SignalExtremes =>
  mapMeasures((name) => {
    const known = terminal[name] === null ? lastKnown.get(name) : undefined
    const last = terminal[name] ?? known?.value ?? null
    return { ...extremes[name], last, lastAt: last === null ? null : (known?.at ?? toDate(terminal.at)) }
  })

/** Everything about a terminal except its points, which are already JSON. */
const toTerminalData = (terminal: TerminalFacts, signals: DetailSignals, stepS: number): TerminalData => ({
  kitnumber: terminal.kit_serial,
  deviceid: terminal.device_id,
  terminal_config: { snowMeltMode: terminal.snow_melt_mode ?? 'AUTO' },
  activeAlerts: terminal.alerts ?? [],
  ipv4: joinAddresses(terminal.ipv4),
  ipv6_ue: joinAddresses(terminal.ipv6_ue),
  ipv6_cpe: joinAddresses(terminal.ipv6_cpe),
  uptime: terminal.uptime_s,
  update_from_telemetry: toDate(terminal.at),
  status: terminal.status ?? 'no data',
  signals: [],
  stepS,
  bands: null,
  extremes: addNewest(terminal, signals),
  unobserved: signals.unobserved,
  routers: terminal.routers.map(toRouter),
})

const toReceipt = (receipt: ReceiptFacts): CommandReceipt => ({
  id: String(receipt.id),
  kind: receipt.kind,
  desired: receipt.desired,
  deviceid: receipt.device_id,
  state: receipt.state,
  requestedBy: receipt.requested_by,
  requestedAt: new Date(receipt.requested_at),
  acceptedAt: toDate(receipt.accepted_at),
  settledAt: toDate(receipt.settled_at),
  problem: receipt.problem,
})

/** A day that the vendor omits had no usage. */
const fillDailyUsage = ({ first_day: first, days }: LineFacts, today: Day): TerminalDetail['dailyUsage'] => {
  const known = new Map(days.map((usage) => [usage.day, usage]))
  const usage: TerminalDetail['dailyUsage'] = []
  for (let day = first ?? days[0]?.day; day !== undefined && day <= today; day = addDays(day, 1)) {
    const { priority_gb = 0, standard_gb = 0 } = known.get(day) ?? {}
    usage.push({ date: day, priorityGB: priority_gb, standardGB: standard_gb })
  }
  return usage
}

interface DetailOptions {
  period: Span
  stepS: number
  today: Day
  seesMetadata: boolean
}

/** Builds the response without the points of its charts. */
export const buildDetail = (
  line: LineFacts,
  signals: readonly DetailSignals[],
  options: DetailOptions,
): TerminalDetail => {
  const { period, stepS, today, seesMetadata } = options
  const { metadata1, metadata2, metadata3, pool, cycle } = line
  const h3_cell = line.terminals.find((terminal) => terminal.h3_cell !== null)?.h3_cell ?? null
  return {
    period,
    terminal_data: line.terminals.map((terminal, index) =>
      toTerminalData(terminal, signals[index] as DetailSignals, stepS),
    ),
    service_line_data: {
      serviceLine: line.service_line_number,
      nickname: line.nickname,
      customname: line.custom_name,
      ...(seesMetadata && { metadata1, metadata2, metadata3 }),
      public_ip: line.public_ip,
      opt_in_product_id: line.opt_in_product_id,
      serviceName: line.product_name,
      street: line.street,
      city: line.city,
      state: line.state,
      coordinates: getCoordinates({ ...line, h3_cell }),
      ...(line.track && { track: line.track.map(getCellCenter).filter((point) => point !== null) }),
    },
    virtualPlanInfo: pool && {
      virtualPoolUsage: pool.used_gb,
      virtualPoolUsageLimit: pool.limit_gb,
      name: pool.name,
      lines: pool.lines,
    },
    monthlyUsage: cycle && {
      start_date: cycle.start,
      end_date: cycle.end,
      data_blocks: cycle.data_blocks,
      priority_GB: cycle.priority_gb,
      usage_limit_GB: cycle.usage_limit_gb,
      standard_GB: cycle.standard_gb,
    },
    dailyUsage: fillDailyUsage(line, today),
    receipts: line.receipts.map(toReceipt),
  }
}
