import type { Signal } from '#contract/terminal-detail.ts'
import { latencyText, percentText, speedText } from './units.ts'

export type MeasureKey = Exclude<keyof Signal, 'timestamp'>

export interface Measure {
  key: MeasureKey
  label: string
  /** Of the axis. */
  unit: string
  text: (value: number | null) => string
  /** From the value as it travels to the figure on the axis. */
  factor: number
  /** The upper end of the axis, where it is always the same. */
  fullScale?: number
}

/** The six charts, in the order of the page. */
export const measures: readonly Measure[] = [
  { key: 'downlink', label: 'Downlink Throughput', unit: 'Mbps', text: speedText, factor: 1 },
  { key: 'uplink', label: 'Uplink Throughput', unit: 'Mbps', text: speedText, factor: 1 },
  { key: 'latency', label: 'Latency', unit: 'ms', text: latencyText, factor: 1 },
  { key: 'pingdrop', label: 'Ping Drop Rate', unit: '%', text: percentText, factor: 100 },
  { key: 'signal_quality', label: 'Signal Quality', unit: '%', text: percentText, factor: 100, fullScale: 100 },
  { key: 'obstruction', label: 'Obstruction', unit: '%', text: percentText, factor: 100 },
]
