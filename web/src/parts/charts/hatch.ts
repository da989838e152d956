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

/** Hatches the time in which our feed was silent: missing samples there do not mean that the terminal was offline. */
export function hatch({ ctx, bbox, valToPos }: uPlot, spans: readonly Span[], color: string) {
  if (spans.length === 0) return
  const pattern = ctx.createPattern(drawTile(color, devicePixelRatio), 'repeat')
  if (!pattern) return
  ctx.save()
  ctx.fillStyle = pattern
  for (const { from, to } of spans) {
    const left = Math.max(valToPos(from.getTime() / 1000, 'x', true), bbox.left)
    const right = Math.min(valToPos(to.getTime() / 1000, 'x', true), bbox.left + bbox.width)
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
  ctx.restore()
}
