import { formatSampleTime } from '#contract/format/times.ts'
import type { Span } from '#contract/terminal-detail.ts'
import type { ChartData } from './chart-data.ts'
import type { ChartMeasure } from './measures.ts'
import { quantileNames } from './quantile.ts'
import type { PlotData } from './signal-plot.ts'

export interface Place {
  index: number
  atMs: number
}

const isWithin =
  (atMs: number) =>
  ({ from, to }: Span) =>
    from.getTime() <= atMs && atMs <= to.getTime()

/** Marks this close appear to be at the cursor. */
const NEAR_SHARE = 0.01

/**
 * 'Nov 15, 14:05:15: 12.34 Mbps (0.50 to 80.12 Mbps); the week before 11.02 Mbps'. In a gap, the time of the pointer and
 * that there is no data.
 */
export function describePlace(data: ChartData, plotData: PlotData, measure: ChartMeasure, place: Place) {
  const { index, atMs } = place
  const { key, format } = measure
  const point = data.timeline.points[index] ?? -1
  const value = data.signals[point]?.[key] ?? null
  const band = data.bands?.[key]
  const spread = band ? ` (${format(band.min[point] ?? null)} to ${format(band.max[point] ?? null)})` : ''
  const shownMs = value === null ? atMs : (data.timeline.atMs[index] as number)
  const own = value === null ? describeGap(data, atMs) : `${format(value)}${spread}`
  return [
    `${formatSampleTime(shownMs)}: ${own}`,
    ...describeQuantileAt(data, plotData, measure, index),
    ...describeCompared(data, measure, index),
    ...describeEvents(data, shownMs),
  ].join('; ')
}

const describeGap = ({ unobserved }: ChartData, atMs: number) =>
  unobserved.some(isWithin(atMs)) ? 'not observed' : 'no data'

function describeQuantileAt({ line }: ChartData, { quantile }: PlotData, measure: ChartMeasure, index: number) {
  const value = quantile?.[index] ?? null
  if (line === 'average' || value === null) return []
  return [`${quantileNames[line]} ${measure.format(value / measure.factor)}`]
}

/** The nearest sample of the other series, which may be coarser. */
function describeCompared({ compared, timeline }: ChartData, { key, format }: ChartMeasure, index: number) {
  if (!compared) return []
  const at = timeline.atMs[index] as number
  const isNear = (place: number) =>
    Math.abs((timeline.atMs[place] ?? Number.POSITIVE_INFINITY) - at) <= compared.stepS * 750
  for (let away = 0; isNear(index - away) || isNear(index + away); away++) {
    for (const place of [index - away, index + away]) {
      const value = isNear(place) ? compared.signals[timeline.others[place] ?? -1]?.[key] : undefined
      if (value !== undefined && value !== null) return [`${compared.name} ${format(value)}`]
    }
  }
  return [`${compared.name} no data`]
}

function describeEvents({ events, period }: ChartData, atMs: number) {
  const nearMs = (period.to.getTime() - period.from.getTime()) * NEAR_SHARE
  const planned = events.planned.find(isWithin(atMs))
  return [
    ...(events.outages.some(isWithin(atMs)) ? ['down'] : []),
    ...(planned ? [planned.name ? `planned: ${planned.name}` : 'planned'] : []),
    ...events.marks.filter(({ at }) => Math.abs(at.getTime() - atMs) <= nearMs).map(({ label }) => label),
  ]
}
