import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Span } from '#contract/terminal-detail.ts'
import type { ChartEvents } from './chart-data.ts'
import { drawMarks, hatch, shade } from './hatch.ts'
import type { ChartMeasure } from './measures.ts'
import { drawThreshold } from './threshold.ts'
import type { AxisTime } from './time-text.ts'
import { formatAxisLabels, getAxisEnd } from './value-axis.ts'

export interface PlotColors {
  line: string
  /** The color of the points when another line is selected. */
  points: string
  compared: string
  band: string
  text: string
  grid: string
  hatch: string
  missing: string
  outage: string
  outageHatch: string
  planned: string
}

export interface PlotData {
  period: Span
  /** In seconds, as uPlot expects. */
  times: number[]
  values: (number | null)[]
  /** The lowest and highest sample of each value, where values are averages. */
  band: { min: (number | null)[]; max: (number | null)[] } | undefined
  /** The line shown instead of the points, if one is selected. */
  quantile: (number | null)[] | undefined
  /** Undefined between the samples of the other series. */
  compared: (number | null | undefined)[] | undefined
  /** The threshold at which service is affected. */
  threshold: number | undefined
  unobserved: readonly Span[]
  missing: readonly Span[]
  events: ChartEvents
  axisTime: AxisTime
}

interface PlotOptions {
  measure: ChartMeasure
  colors: PlotColors
  syncKey: string
  size: { width: number; height: number }
  /** The position of the cursor; undefined when it has left the chart. */
  onCursor: (place: { index: number; atMs: number } | undefined) => void
  /** The user has selected a part of the period by dragging. */
  onZoom: (part: Span) => void
}

const RIGHT_PX = 8
export const font = "12px 'Inter Variable', system-ui, sans-serif"

/** One chart on a canvas. Charts with the same key share their cursor. */
export class SignalPlot {
  readonly #plot: uPlot
  readonly #syncKey: string
  #data: PlotData

  constructor(target: HTMLElement, data: PlotData, { measure, colors, syncKey, size, onCursor, onZoom }: PlotOptions) {
    this.#data = data
    this.#syncKey = syncKey
    const axis = { stroke: colors.text, font, grid: { stroke: colors.grid, width: 1 }, ticks: { show: false } }
    this.#plot = new uPlot(
      {
        ...size,
        padding: [8, RIGHT_PX, 0, 0],
        legend: { show: false },
        cursor: {
          y: false,
          drag: { x: true, y: false, setScale: false },
          // The other charts follow the pointer, but only one reports the selection.
          sync: { key: syncKey, setSeries: false, filters: { pub: (type) => type === 'mousemove', sub: () => true } },
          points: { size: 7, width: 2 },
        },
        scales: {
          x: { time: true, range: () => this.#timeRange() },
          y: { range: (_plot, _min, max) => [0, getAxisEnd(measure, max)] },
        },
        axes: [
          {
            ...axis,
            size: 28,
            space: () => this.#data.axisTime.labelPx,
            values: (plot, splits) => splits.map((second) => this.#timeLabel(plot, second)),
          },
          {
            ...axis,
            size: 44,
            space: 32,
            values: (_plot, splits, _axis, _space, step) => formatAxisLabels(splits, step),
          },
        ],
        series: [
          {},
          {
            stroke: () => (this.#data.quantile ? colors.points : colors.line),
            width: 1.5,
            points: { show: false, filter: loneValues, size: 4, fill: colors.line },
          },
          { stroke: 'transparent', width: 0, points: { show: false } },
          { stroke: 'transparent', width: 0, points: { show: false } },
          { stroke: colors.line, width: 2, points: { show: false } },
          { stroke: colors.compared, width: 1.5, dash: [6, 4], points: { show: false } },
        ],
        bands: [{ series: [2, 3], fill: colors.band }],
        hooks: {
          drawAxes: [
            (plot) => {
              shade(plot, this.#data.events.outages, colors.outage)
              hatch(plot, this.#data.events.outages, colors.outageHatch, 'falling')
              shade(plot, this.#data.events.planned, colors.planned)
              hatch(plot, this.#data.unobserved, colors.hatch, 'rising')
              hatch(plot, this.#data.missing, colors.missing, 'rising')
              const { threshold } = this.#data
              if (threshold !== undefined && measure.threshold !== undefined)
                drawThreshold(plot, threshold, { color: colors.text, font, label: measure.threshold })
              drawMarks(plot, this.#data.events.marks, colors.text)
            },
          ],
          setSelect: [(plot) => reportSelection(plot, onZoom)],
          setCursor: [(plot) => onCursor(readCursor(plot))],
        },
      },
      aligned(data),
      target,
    )
  }

  setData(data: PlotData) {
    if (data === this.#data) return
    this.#data = data
    this.#plot.setData(aligned(data))
  }

  setWidth(width: number) {
    if (width !== this.#plot.width) this.#plot.setSize({ width, height: this.#plot.height })
  }

  /** Moves the cursor in all charts that share it; undefined hides it. */
  pointAt(index: number | undefined) {
    pointAllAt(this.#syncKey, index === undefined ? undefined : this.#data.times[index])
  }

  get canvas() {
    return this.#plot.ctx.canvas
  }

  destroy() {
    this.#plot.destroy()
  }

  /** No label where it would be cut off at the right. */
  #timeLabel(plot: uPlot, second: number) {
    const { text, labelPx } = this.#data.axisTime
    const roomPx = plot.bbox.width / uPlot.pxRatio - plot.valToPos(second, 'x') + RIGHT_PX
    return roomPx < labelPx / 2 ? null : text(second * 1000)
  }

  #timeRange(): [number, number] {
    const { from, to } = this.#data.period
    return [from.getTime() / 1000, to.getTime() / 1000]
  }
}

/** Moves the cursor of all charts with the key to a time; undefined hides it. */
export function pointAllAt(syncKey: string, second: number | undefined) {
  for (const plot of uPlot.sync(syncKey).plots)
    plot.setCursor(second === undefined ? { left: -10, top: -10 } : { left: plot.valToPos(second, 'x'), top: 1 })
}

const aligned = ({ times, values, band, quantile, compared }: PlotData): uPlot.AlignedData => {
  const none = values.map(() => null)
  return [times, values, band?.max ?? none, band?.min ?? none, quantile ?? none, compared ?? none]
}

function reportSelection(plot: uPlot, onZoom: (part: Span) => void) {
  const { left, width } = plot.select
  if (width === 0) return
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  const toDate = (px: number) => new Date(plot.posToVal(px, 'x') * 1000)
  onZoom({ from: toDate(left), to: toDate(left + width) })
}

function readCursor(plot: uPlot) {
  const { left, idx } = plot.cursor
  if (left === undefined || left < 0 || idx === null || idx === undefined) return undefined
  return { index: idx, atMs: plot.posToVal(left, 'x') * 1000 }
}

/** An isolated value between two gaps has no line, so it gets a dot. */
function loneValues(plot: uPlot, series: number) {
  const values = plot.data[series] ?? []
  const isThere = (index: number) => values[index] !== null && values[index] !== undefined
  return Array.from(values.keys()).filter((index) => isThere(index) && !isThere(index - 1) && !isThere(index + 1))
}
