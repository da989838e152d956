import * as z from 'zod/mini'
import { alertNames, coordinates, flag, looseBoolean, microseconds, moment, oneOrZero } from './codecs.ts'
import { CommandReceipt } from './command-receipt.ts'
import { dataBlocks } from './data-block.ts'
import { mapMeasures } from './measures.ts'
import { At, Past } from './past.ts'
import { PeriodMin } from './period.ts'
import { route } from './route.ts'
import { LineKey } from './service-lines.ts'
import { TerminalConfig } from './snow-melt.ts'
import { TerminalStatus } from './terminal-status.ts'

const textOrNull = z.nullable(z.string())
const numberOrNull = z.nullable(z.number())

/** Throughput in Mbps, latency in ms; ping drop, signal quality and obstruction are fractions. */
const Signal = z.object({ timestamp: microseconds, ...mapMeasures(() => numberOrNull) })
export type Signal = z.output<typeof Signal>

/** `last` is the newest known value, even if it is older than the period or missing from the newest sample. */
const Extremes = z.object({
  min: numberOrNull,
  max: numberOrNull,
  last: numberOrNull,
  lastAt: z.nullable(moment),
})

/** The extremes of the samples. A point of a long period is an average, which would hide them. */
const SignalExtremes = z.object(mapMeasures(() => Extremes))
export type SignalExtremes = z.output<typeof SignalExtremes>

const Band = z.object({ min: z.array(numberOrNull), max: z.array(numberOrNull) })

/** The lowest and the highest sample of each point of `signals`, in the same order. */
const SignalBands = z.object(mapMeasures(() => Band))
export type SignalBands = z.output<typeof SignalBands>

const Span = z.object({ from: moment, to: moment })
export type Span = z.output<typeof Span>

const Router = z.object({
  router_id: z.string(),
  hardware_version: textOrNull,
  clients: numberOrNull,
  wifi_uptime_S: numberOrNull,
  update_from_telemetry: z.nullable(moment),
  wifi_is_repeater: z.nullable(looseBoolean),
  wifi_is_bypass: z.nullable(looseBoolean),
  wifi_software_version: textOrNull,
})
export type Router = z.output<typeof Router>

const TerminalData = z.object({
  kitnumber: textOrNull,
  deviceid: z.string(),
  terminal_config: TerminalConfig,
  activeAlerts: alertNames,
  ipv4: textOrNull,
  ipv6_ue: textOrNull,
  ipv6_cpe: textOrNull,
  /** In seconds. */
  uptime: numberOrNull,
  update_from_telemetry: z.nullable(moment),
  status: TerminalStatus,
  signals: z.array(Signal),
  /** How many seconds a point covers. A larger distance between two points is a gap. */
  stepS: z.number(),
  /** Null if each point is one sample. */
  bands: z.nullable(SignalBands),
  extremes: SignalExtremes,
  /** Times in which our own feed reported no terminal at all: a gap here is not an outage of the terminal. */
  unobserved: z.array(Span),
  routers: z.array(Router),
})
export type TerminalData = z.output<typeof TerminalData>

const ServiceLineData = z.object({
  serviceLine: z.string(),
  nickname: z.string(),
  customname: textOrNull,
  /** Absent for users who cannot see metadata. */
  metadata1: z.nullish(z.string()),
  metadata2: z.nullish(z.string()),
  metadata3: z.nullish(z.string()),
  public_ip: oneOrZero,
  opt_in_product_id: textOrNull,
  serviceName: textOrNull,
  street: textOrNull,
  city: textOrNull,
  state: textOrNull,
  coordinates,
  /** The positions of a moving line in the last 24 hours, oldest first; absent for a stationary line. */
  track: z.optional(z.array(z.tuple([z.number(), z.number()]))),
})

const MonthlyUsage = z.object({
  /** The vendor's day, in UTC. */
  start_date: z.iso.date(),
  /** The first day of the next cycle. */
  end_date: z.nullish(z.iso.date()),
  data_blocks: dataBlocks,
  priority_GB: numberOrNull,
  usage_limit_GB: numberOrNull,
  standard_GB: numberOrNull,
})

/** The usage of all lines of the pool. */
const PoolUsage = z.object({
  virtualPoolUsage: numberOrNull,
  virtualPoolUsageLimit: numberOrNull,
  name: z.nullish(z.string()),
  lines: z.nullish(z.number()),
})

const DailyUsage = z.object({ date: z.iso.date(), priorityGB: z.number(), standardGB: z.number() })
export type DailyUsage = z.output<typeof DailyUsage>

const TerminalDetail = z.object({
  /** The period of the charts. */
  period: Span,
  terminal_data: z.array(TerminalData),
  service_line_data: ServiceLineData,
  /** Null if the line is not in a pool. */
  virtualPlanInfo: z.nullable(PoolUsage),
  monthlyUsage: z.nullable(MonthlyUsage),
  /** The vendor's UTC days of this year, from the first known one to today, without gaps. */
  dailyUsage: z.array(DailyUsage),
  /** The newest commands of the line, newest first. */
  receipts: z.array(CommandReceipt),
  /** Only for a time in the past, for which routers, snow melt mode and uptime are unknown. */
  past: z.optional(Past),
})
export type TerminalDetail = z.output<typeof TerminalDetail>

export const terminalDetail = {
  get: route({
    method: 'POST',
    path: '/terminals/:kitnumber/:period/',
    access: 'user',
    writes: false,
    summary:
      'The details of one service line, with at most 1000 points per chart over a period in minutes, now or as they were at a time; `coarse` for fewer',
    input: z.strictObject({ kitnumber: LineKey, period: PeriodMin, at: At, coarse: z.optional(flag) }),
    output: TerminalDetail,
  }),
  read: route({
    method: 'GET',
    path: '/terminals/:kitnumber/:period/',
    access: 'user',
    summary: 'The same by GET, which caches and proxies know how to repeat',
    input: z.strictObject({ kitnumber: LineKey, period: PeriodMin, at: At, coarse: z.optional(flag) }),
    output: TerminalDetail,
  }),
  download: route({
    method: 'POST',
    path: '/download-terminal-performance/',
    access: 'user',
    writes: false,
    summary: 'The samples of a period as CSV',
    input: z.strictObject({ kitnumber: LineKey, period: PeriodMin }),
    output: z.string(),
    media: 'text/csv',
  }),
}
