import type uPlot from 'uplot'
import type { Span } from '#contract/terminal-detail.ts'

const tilePx = 8

/** The direction of the lines, from left to right. */
type Slope = 'rising' | 'falling'

function drawTile(color: string, slope: Slope, ratio: number) {
  const side = tilePx * ratio
  const tile = new OffscreenCanvas(side, side)
  const context = tile.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.strokeStyle = color
  context.lineWidth = ratio
  context.beginPath()
  const [start, end] = slope === 'rising' ? [side + ratio, -ratio] : [-ratio, side + ratio]
  // Includes two corners, so that the lines are continuous across tiles.
  for (const shift of [-side, 0, side]) {
    context.moveTo(shift - ratio, start)
    context.lineTo(shift + side + ratio, end)
  }
  context.stroke()
  return tile
}

/** Fills spans of time from top to bottom. A span narrower than a line is drawn as a line. */
function fillSpans({ ctx, bbox, valToPos }: uPlot, spans: readonly Span[], fill: CanvasPattern | string) {
  ctx.save()
  ctx.fillStyle = fill
  for (const { from, to } of spans) {
    const left = Math.max(valToPos(from.getTime() / 1000, 'x', true), bbox.left)
    const right = Math.min(valToPos(to.getTime() / 1000, 'x', true), bbox.left + bbox.width)
    if (right > left) ctx.fillRect(left, bbox.top, Math.max(right - left, devicePixelRatio), bbox.height)
  }
  ctx.restore()
}

export function hatch(plot: uPlot, spans: readonly Span[], color: string, slope: Slope) {
  const pattern = spans.length > 0 && plot.ctx.createPattern(drawTile(color, slope, devicePixelRatio), 'repeat')
  if (pattern) fillSpans(plot, spans, pattern)
}

export const shade = (plot: uPlot, spans: readonly Span[], color: string) => fillSpans(plot, spans, color)

const flagPx = 5

/** A dashed line with a flag on top for each mark. */
export function drawMarks({ ctx, bbox, valToPos }: uPlot, marks: readonly { at: Date }[], color: string) {
  const flag = flagPx * devicePixelRatio
  ctx.save()
  ctx.strokeStyle = color
  ctx.fillStyle = color
  ctx.lineWidth = devicePixelRatio
  for (const { at } of marks) {
    const x = valToPos(at.getTime() / 1000, 'x', true)
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    ctx.beginPath()
    ctx.moveTo(x - flag, bbox.top)
    ctx.lineTo(x + flag, bbox.top)
    ctx.lineTo(x, bbox.top + flag * 1.5)
    ctx.fill()
  }
  ctx.restore()
}
