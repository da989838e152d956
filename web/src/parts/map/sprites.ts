import { type ShownStatus, shownStatuses } from '../status.ts'
import type { MapScheme } from './base-layer.ts'
import { type Stamp, toRaster, toStamp } from './raster.ts'

const fills: Record<MapScheme, Record<ShownStatus, string>> = {
  light: { online: '#15803d', offline: '#dc2626', disabled: '#d97706', 'no data': '#475569' },
  dark: { online: '#4ade80', offline: '#f87171', disabled: '#fb923c', 'no data': '#a8b5c7' },
}
const halos: Record<MapScheme, string> = { light: '#ffffff', dark: '#020617' }

export interface Sprite extends Stamp {
  canvas: HTMLCanvasElement
}

/** Draws the four shapes ● ■ ◆ ○ once per size, in the order of `shownStatuses`. A frame then only copies pixels. */
export function drawSprites(sizePx: number, scheme: MapScheme, pixelRatio: number): Sprite[] {
  return shownStatuses.map((status) => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = Math.ceil(sizePx * pixelRatio)
    const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
    context.scale(canvas.width / 20, canvas.height / 20)
    context.lineJoin = 'round'
    traceShape(context, status)
    context.strokeStyle = halos[scheme]
    context.lineWidth = status === 'no data' ? 7 : 4
    context.stroke()
    traceShape(context, status)
    context.fillStyle = context.strokeStyle = fills[scheme][status]
    if (status === 'no data') {
      context.lineWidth = 3.5
      context.stroke()
    } else {
      context.fill()
    }
    return { canvas, ...toStamp(toRaster(context.getImageData(0, 0, canvas.width, canvas.height))) }
  })
}

/** In a coordinate system of 20 by 20. */
function traceShape(context: CanvasRenderingContext2D, status: ShownStatus) {
  context.beginPath()
  if (status === 'online') context.arc(10, 10, 7, 0, 2 * Math.PI)
  if (status === 'no data') context.arc(10, 10, 5.5, 0, 2 * Math.PI)
  if (status === 'offline') context.rect(3.8, 3.8, 12.4, 12.4)
  if (status === 'disabled') {
    context.moveTo(10, 1.8)
    context.lineTo(18.2, 10)
    context.lineTo(10, 18.2)
    context.lineTo(1.8, 10)
    context.closePath()
  }
}
