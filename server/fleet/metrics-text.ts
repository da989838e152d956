import type * as z from 'zod/mini'
import { terminalStatuses } from '#contract/terminal-status.ts'
import type { TerminalDetailsItem } from '#contract/terminals.ts'

export const METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** In the form that the snapshot holds. */
type Item = z.input<typeof TerminalDetailsItem>

const MAX_LABEL_LENGTH = 200
const BIT_PER_MEGABIT = 1e6
const BYTE_PER_GIGABYTE = 1e9

const escapeLabel = (text: string | null) =>
  (text ?? '')
    .slice(0, MAX_LABEL_LENGTH)
    // Half of a surrogate pair.
    .replace(/[\uD800-\uDBFF]$/, '')
    .replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))

interface Family {
  name: string
  help: string
  type: 'gauge' | 'info' | 'stateset'
  /** The samples of a terminal: labels besides its id, and the value; null if there is none. */
  list: (item: Item) => readonly (readonly [labels: string, value: number | null])[]
}

const scale = (value: number | null | undefined, factor: number) =>
  value === null || value === undefined ? null : value * factor

/** A measure of a terminal. The last measurement of an offline terminal is not a current value. */
const measure = (name: string, help: string, read: (item: Item) => number | null | undefined, factor = 1): Family => ({
  name,
  help,
  type: 'gauge',
  list: (item) => [['', item.status === 'online' ? scale(read(item), factor) : null]],
})

const STATUS = 'dishboard_terminal_status'

const families: readonly Family[] = [
  {
    name: 'dishboard_terminal',
    help: 'Names of a terminal; join by the label terminal.',
    type: 'info',
    list: ({ customname, nickname, serviceLine, kitnumber, serviceName, city, state }) => [
      [
        `,name="${escapeLabel(customname ?? nickname)}",service_line="${escapeLabel(serviceLine)}"` +
          `,kit="${escapeLabel(kitnumber)}",product="${escapeLabel(serviceName)}"` +
          `,city="${escapeLabel(city)}",state="${escapeLabel(state)}"`,
        1,
      ],
    ],
  },
  {
    name: STATUS,
    help: 'Whether a terminal is online, offline or without data.',
    type: 'stateset',
    list: ({ status }) => terminalStatuses.map((each) => [`,${STATUS}="${each}"`, each === status ? 1 : 0]),
  },
  {
    name: 'dishboard_terminal_last_seen_timestamp_seconds',
    help: 'When the newest sample was measured.',
    type: 'gauge',
    list: ({ lastSeen }) => [['', lastSeen ? Date.parse(lastSeen) / 1000 : null]],
  },
  measure(
    'dishboard_terminal_downlink_bits_per_second',
    'Throughput to the terminal.',
    ({ downlink }) => downlink,
    BIT_PER_MEGABIT,
  ),
  measure(
    'dishboard_terminal_uplink_bits_per_second',
    'Throughput from the terminal.',
    ({ uplink }) => uplink,
    BIT_PER_MEGABIT,
  ),
  measure('dishboard_terminal_latency_seconds', 'Round trip to the point of presence.', ({ latency }) => latency, 1e-3),
  measure('dishboard_terminal_ping_drop_ratio', 'Share of pings without an answer.', ({ pingdrop }) => pingdrop),
  measure('dishboard_terminal_signal_quality_ratio', 'Signal quality.', ({ signal_quality }) => signal_quality),
  measure(
    'dishboard_terminal_obstruction_ratio',
    'Share of the time that is obstructed.',
    ({ obstruction }) => obstruction,
  ),
  {
    name: 'dishboard_terminal_usage_bytes',
    help: 'Data that the service line used in its billing cycle.',
    type: 'gauge',
    list: ({ priority_GB, standard_GB }) => [
      [',class="priority"', scale(priority_GB, BYTE_PER_GIGABYTE)],
      [',class="standard"', scale(standard_GB, BYTE_PER_GIGABYTE)],
    ],
  },
  {
    name: 'dishboard_terminal_usage_limit_bytes',
    help: 'Data that the service line may use in its billing cycle.',
    type: 'gauge',
    list: ({ usage_limit_GB }) => [['', scale(usage_limit_GB, BYTE_PER_GIGABYTE)]],
  },
]

/** Unit factors add digits that were not measured. */
const formatValue = (value: number) => String(Number(value.toPrecision(12)))

/** The terminals in OpenMetrics format, which requires the samples of each family to be contiguous. */
export const formatMetrics = (items: readonly Item[]) => {
  const lines: string[] = []
  for (const { name, help, type, list } of families) {
    lines.push(`# TYPE ${name} ${type}`, `# HELP ${name} ${help}`)
    const sample = type === 'info' ? `${name}_info` : name
    for (const item of items)
      for (const [labels, value] of list(item))
        if (value !== null) lines.push(`${sample}{terminal="${item.id}"${labels}} ${formatValue(value)}`)
  }
  lines.push('# EOF', '')
  return lines.join('\n')
}
