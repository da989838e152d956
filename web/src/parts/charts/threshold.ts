import type uPlot from 'uplot'
import { findFreePlace, type Path } from './free-place.ts'

const LABEL_PX = 12

interface ThresholdStyle {
  color: string
  font: string
  /** What the line means, with its value. */
  label: string
}

/** The lines of the chart on the canvas. The band behind them counts as one line from its lowest to its highest value. */
function listPaths(plot: uPlot): Path[] {
  const [times = [], ...series] = plot.data
  const xs = Array.from(times, (time) => plot.valToPos(time, 'x', true))
  const toPoint = (values: (typeof series)[number] | undefined, index: number) => {
    const value = values?.[index]
    return value == null ? null : ([xs[index] as number, plot.valToPos(value, 'y', true)] as const)
  }
  const [values, highest, lowest, ...others] = series
  const lines = [values, ...others].map((line) =>
    xs.flatMap((_, index) => (line?.[index] === undefined ? [] : [toPoint(line, index)])),
  )
  return [...lines, xs.flatMap((_, index) => [null, toPoint(highest, index), toPoint(lowest, index)])]
}

/** Below or above the line, or two lines below the top; at its end, its beginning or in the middle. */
function listPlaces({ bbox }: uPlot, y: number, width: number, isAbove: boolean) {
  const height = LABEL_PX * devicePixelRatio
  const gap = 3 * devicePixelRatio
  const side = 4 * devicePixelRatio
  const tops = isAbove ? [y + gap, y + gap + 2 * height] : [y + gap, y - gap - height]
  const lefts = [bbox.left + bbox.width - side - width, bbox.left + side, bbox.left + (bbox.width - width) / 2]
  return tops
    .filter((top) => top >= bbox.top && top + height <= bbox.top + bbox.height)
    .flatMap((top) => lefts.map((left) => ({ left, top, width, height })))
}

/** A thin line with its label where no line of the chart runs. If it is beyond the axis, the label at the top says so. */
export function drawThreshold(plot: uPlot, value: number, { color, font, label }: ThresholdStyle) {
  const { ctx, bbox } = plot
  const isAbove = value > (plot.scales.y?.max ?? 0)
  const y = isAbove ? bbox.top : plot.valToPos(value, 'y', true)
  ctx.save()
  ctx.strokeStyle = color
  ctx.fillStyle = color
  ctx.lineWidth = devicePixelRatio
  if (!isAbove) {
    ctx.setLineDash([6 * devicePixelRatio, 3 * devicePixelRatio])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.font = font.replace(`${LABEL_PX}px`, `${LABEL_PX * devicePixelRatio}px`)
  ctx.textAlign = 'left'
  ctx.textBaseline = 'top'
  const text = isAbove ? `↑ ${label}` : label
  const [first, ...others] = listPlaces(plot, y, ctx.measureText(text).width, isAbove)
  if (first) {
    const { left, top } = findFreePlace([first, ...others], listPaths(plot))
    ctx.fillText(text, left, top)
  }
  ctx.restore()
}
