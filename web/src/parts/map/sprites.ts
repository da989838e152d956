import { type ShownStatus, shownStatuses } from '../status.ts'
import type { MapScheme } from './base-layer.ts'

const fills: Record<MapScheme, Record<ShownStatus, string>> = {
  light: { online: '#15803d', offline: '#dc2626', disabled: '#d97706', 'no data': '#475569' },
  dark: { online: '#4ade80', offline: '#f87171', disabled: '#fb923c', 'no data': '#a8b5c7' },
}
const halos: Record<MapScheme, string> = { light: '#ffffff', dark: '#020617' }
const texts: Record<MapScheme, string> = { light: '#0f172a', dark: '#f8fafc' }

/** The most urgent status first. */
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

  /** A ring of the statuses of a cluster, with the shape of the worst one. */
  getRing(sizePx: number, shares: ArrayLike<number>) {
    const parts = splitRing(shares)
    const key = parts.map(({ status, to }) => `${status} ${to}`)
    return this.#get(`${key} ${sizePx}`, sizePx, (context) => drawRing(context, parts, sizePx, this.#scheme))
  }

  #get(key: string, sizePx: number, draw: (context: CanvasRenderingContext2D) => void) {
    const known = this.#images.get(key)
    if (known) return known
    // Bounds the cache, which grows with every marker size and ring that was shown.
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

function drawRing(context: CanvasRenderingContext2D, parts: readonly Part[], sizePx: number, scheme: MapScheme) {
  const middle = sizePx / 2
  const radius = middle - ringPx
  context.beginPath()
  context.arc(middle, middle, radius + ringPx - 0.5, 0, 2 * Math.PI)
  context.fillStyle = halos[scheme]
  context.fill()
  let from = 0
  context.lineWidth = ringPx
  for (const { status, to } of parts) {
    context.beginPath()
    context.arc(middle, middle, radius, toAngle(from), toAngle(to))
    context.strokeStyle = fills[scheme][status]
    context.stroke()
    from = to
  }
  const worst = parts[0]?.status
  if (worst === undefined || worst === 'online') return
  context.translate(sizePx - worstPx, 0)
  drawShape(context, worst, worstPx, scheme)
}

/** Clockwise from the top. */
const toAngle = (step: number) => (step / ringSteps - 1 / 4) * 2 * Math.PI

/** Sets up the context for `drawClusterSize`. */
export const setClusterText = (context: CanvasRenderingContext2D, scheme: MapScheme) => {
  context.fillStyle = texts[scheme]
  context.textAlign = 'center'
  context.textBaseline = 'middle'
}

/** Not part of the image: there are far more numbers than rings, and an image costs more than its text. */
export const drawClusterSize = (context: CanvasRenderingContext2D, size: number, px: number, py: number) => {
  context.font = `600 ${size < 1000 ? 12 : 11}px "Inter Variable", sans-serif`
  context.fillText(formatClusterSize(size), px, py + 0.5)
}

/** '999', '1.2k', '12k': short enough for a ring. */
export const formatClusterSize = (size: number) => {
  if (size < 1000) return String(size)
  const thousands = size / 1000
  return thousands < 9.95 ? `${Math.round(thousands * 10) / 10}k` : `${Math.round(thousands)}k`
}

export const findWorst = (shares: ArrayLike<number>): ShownStatus =>
  worstFirst.find((status) => (shares[shownStatuses.indexOf(status)] ?? 0) > 0) ?? 'online'

/** The minimum visible part of a ring. */
const smallestPart = 0.1
/** Parts are rounded to this fraction of the ring, about two pixels, so that few images cover all rings. */
const ringSteps = 60

interface Part {
  status: ShownStatus
  /** Its end, in steps clockwise from the top. */
  to: number
}

/**
 * The parts of the ring, worst status first. Even one terminal in thousands stays visible; the other parts shrink.
 */
export function splitRing(shares: ArrayLike<number>): Part[] {
  const present = worstFirst.flatMap((status) => {
    const count = shares[shownStatuses.indexOf(status)] ?? 0
    return count > 0 ? [{ status, count }] : []
  })
  const total = present.reduce((sum, { count }) => sum + count, 0)
  const isSmall = (count: number) => count / total < smallestPart
  const small = present.filter(({ count }) => isSmall(count)).length
  const large = present.reduce((sum, { count }) => (isSmall(count) ? sum : sum + count), 0)
  let end = 0
  return present.map(({ status, count }) => {
    end += isSmall(count) ? smallestPart : (count / large) * (1 - small * smallestPart)
    return { status, to: Math.round(end * ringSteps) }
  })
}
