import { type ShownStatus, shownStatuses } from '../status.ts'
import type { MapScheme } from './base-layer.ts'

const fills: Record<MapScheme, Record<ShownStatus, string>> = {
  light: { online: '#15803d', offline: '#dc2626', disabled: '#d97706', 'no data': '#475569' },
  dark: { online: '#4ade80', offline: '#f87171', disabled: '#fb923c', 'no data': '#a8b5c7' },
}
const halos: Record<MapScheme, string> = { light: '#ffffff', dark: '#020617' }
const texts: Record<MapScheme, string> = { light: '#0f172a', dark: '#f8fafc' }

/** The status that needs attention most comes first. */
export const worstFirst: readonly ShownStatus[] = ['offline', 'disabled', 'no data', 'online']

/** Each image is drawn once; a frame only copies them. */
export class Sprites {
  readonly #scheme: MapScheme
  readonly #pixelRatio: number
  readonly #images = new Map<string, HTMLCanvasElement>()

  constructor(scheme: MapScheme, pixelRatio: number) {
    this.#scheme = scheme
    this.#pixelRatio = pixelRatio
  }

  /** One of the four shapes ● ■ ◆ ○. */
  getMarker(status: ShownStatus, sizePx: number) {
    return this.#get(`${status} ${sizePx}`, sizePx, (context) => drawShape(context, status, sizePx, this.#scheme))
  }

  /** The number of members in a ring of their statuses, and the shape of the worst one. */
  getCluster(size: number, shares: ArrayLike<number>) {
    const sizePx = clusterSizePx(size)
    return this.#get(`${size} ${Array.from(shares)}`, sizePx, (context) =>
      drawCluster(context, size, shares, sizePx, this.#scheme),
    )
  }

  #get(key: string, sizePx: number, draw: (context: CanvasRenderingContext2D) => void) {
    const known = this.#images.get(key)
    if (known) return known
    // While statuses change, images of past counts add up.
    if (this.#images.size >= maxImages) this.#images.clear()
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = Math.ceil(sizePx * this.#pixelRatio)
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    context.scale(canvas.width / sizePx, canvas.height / sizePx)
    draw(context)
    this.#images.set(key, canvas)
    return canvas
  }
}

const maxImages = 3000

/** 30 pixels for two, 53 for 10,000, with room for the shape at the edge. */
export const clusterSizePx = (size: number) => Math.round(28 + 6.2 * Math.log10(size))

function drawShape(context: CanvasRenderingContext2D, status: ShownStatus, sizePx: number, scheme: MapScheme) {
  context.save()
  context.scale(sizePx / 20, sizePx / 20)
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
  context.restore()
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

const ringPx = 4
const worstPx = 14

function drawCluster(
  context: CanvasRenderingContext2D,
  size: number,
  shares: ArrayLike<number>,
  sizePx: number,
  scheme: MapScheme,
) {
  const middle = sizePx / 2
  const radius = middle - ringPx
  context.beginPath()
  context.arc(middle, middle, radius + ringPx - 0.5, 0, 2 * Math.PI)
  context.fillStyle = halos[scheme]
  context.fill()
  let turn = -Math.PI / 2
  context.lineWidth = ringPx
  for (const { status, part } of splitRing(shares)) {
    const end = turn + part * 2 * Math.PI
    context.beginPath()
    context.arc(middle, middle, radius, turn, end)
    context.strokeStyle = fills[scheme][status]
    context.stroke()
    turn = end
  }
  context.fillStyle = texts[scheme]
  context.font = `600 ${size < 1000 ? 12 : 11}px "Inter Variable", sans-serif`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(formatClusterSize(size), middle, middle + 0.5)
  const worst = findWorst(shares)
  if (worst === 'online') return
  context.translate(sizePx - worstPx, 0)
  drawShape(context, worst, worstPx, scheme)
}

/** '999', '1.2k', '12k': what fits into a ring. */
export const formatClusterSize = (size: number) => {
  if (size < 1000) return String(size)
  const thousands = size / 1000
  return thousands < 9.95 ? `${Math.round(thousands * 10) / 10}k` : `${Math.round(thousands)}k`
}

export const findWorst = (shares: ArrayLike<number>): ShownStatus =>
  worstFirst.find((status) => (shares[shownStatuses.indexOf(status)] ?? 0) > 0) ?? 'online'

/** So much of the ring is visible at any size. */
const smallestPart = 0.1

/** The parts of the ring, the worst status first. Even one of thousands is seen; the others give way for it. */
export function splitRing(shares: ArrayLike<number>) {
  const present = worstFirst.flatMap((status) => {
    const count = shares[shownStatuses.indexOf(status)] ?? 0
    return count > 0 ? [{ status, count }] : []
  })
  const total = present.reduce((sum, { count }) => sum + count, 0)
  const isSmall = (count: number) => count / total < smallestPart
  const small = present.filter(({ count }) => isSmall(count)).length
  const large = present.reduce((sum, { count }) => (isSmall(count) ? sum : sum + count), 0)
  return present.map(({ status, count }) => ({
    status,
    part: isSmall(count) ? smallestPart : (count / large) * (1 - small * smallestPart),
  }))
}
