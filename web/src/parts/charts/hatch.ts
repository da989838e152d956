import type uPlot from 'uplot'
import type { Span } from '#contract/terminal-detail.ts'

const tilePx = 8

function drawTile(color: string, ratio: number) {
  const side = tilePx * ratio
  const tile = new OffscreenCanvas(side, side)
  const context = tile.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.strokeStyle = color
  context.lineWidth = ratio
  context.beginPath()
  // Two corners as well, so that the lines meet across tiles.
  for (const shift of [-side, 0, side]) {
    context.moveTo(shift - ratio, side + ratio)
    context.lineTo(shift + side + ratio, -ratio)
  }
  context.stroke()
  return tile
}

/** Fills spans of time from top to bottom. */
function fillSpans({ ctx, bbox, valToPos }: uPlot, spans: readonly Span[], fill: CanvasPattern | string) {
  ctx.save()
  ctx.fillStyle = fill
  for (const { from, to } of spans) {
    const left = Math.max(valToPos(from.getTime() / 1000, 'x', true), bbox.left)
    const right = Math.min(valToPos(to.getTime() / 1000, 'x', true), bbox.left + bbox.width)
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
  ctx.restore()
}

/** Hatches the time in which our feed was silent: missing samples there do not mean that the terminal was offline. */
export function hatch(plot: uPlot, spans: readonly Span[], color: string) {
  const pattern = spans.length > 0 && plot.ctx.createPattern(drawTile(color, devicePixelRatio), 'repeat')
  if (pattern) fillSpans(plot, spans, pattern)
}

/** Shades the time in which the terminal did not work. */
export const shade = (plot: uPlot, spans: readonly Span[], color: string) => fillSpans(plot, spans, color)

/** A dashed line at each moment. */
export function drawMarks({ ctx, bbox, valToPos }: uPlot, marks: readonly { at: Date }[], color: string) {
  ctx.save()
  ctx.strokeStyle = color
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
  ctx.beginPath()
  for (const { at } of marks) {
    const x = valToPos(at.getTime() / 1000, 'x', true)
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
  }
  ctx.stroke()
  ctx.restore()
}
