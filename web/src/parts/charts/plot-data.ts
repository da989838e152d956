import type { ChartData } from './chart-data.ts'
import type { ChartMeasure } from './measures.ts'
import { getWindowMs, rollQuantile } from './quantile.ts'
import type { PlotData } from './signal-plot.ts'
import { alongTimeline } from './timeline.ts'

/** What one chart draws, in the unit of its axis. */
export function buildPlotData(data: ChartData, measure: ChartMeasure): PlotData {
  const { timeline, signals, bands, compared } = data
  const { key, factor } = measure
  const along = (values: readonly (number | null)[]) => alongTimeline(timeline, values, factor)
  const values = along(signals.map((signal) => signal[key]))
  return {
    period: data.period,
    unobserved: data.unobserved,
    missing: data.missing,
    events: data.events,
    axisTime: data.axisTime,
    times: timeline.atMs.map((ms) => ms / 1000),
    values,
    band: bands ? { min: along(bands[key].min), max: along(bands[key].max) } : undefined,
    quantile: findQuantile(data, values),
    compared:
      compared && timeline.others.map((other) => readOther(compared.signals[other ?? -1]?.[key], other, factor)),
    threshold: measure.hurtsAt,
  }
}

const findQuantile = ({ line, timeline, periodMin, stepS }: ChartData, values: (number | null)[]) =>
  line === 'average'
    ? undefined
    : rollQuantile({ atMs: timeline.atMs, values }, getWindowMs(periodMin), stepS * 1000, line)

/** Undefined between samples, where the line continues; null in a gap, where it ends. */
const readOther = (value: number | null | undefined, other: number | undefined, factor: number) => {
  if (other === undefined) return undefined
  return value === null || value === undefined ? null : value * factor
}
