import { CanvasLayer, type Frame } from './canvas-layer.ts'
import { worldsBetween, worldWidthM } from './mercator.ts'

/** A layer that is redrawn only when its style changes; its image is moved while the map is panned. */
export abstract class CachedLayer extends CanvasLayer {
  #drawnStyle = ''
  #corner = ''
  #cached: Frame | undefined

  /** A key of everything that affects the image except the position of the view. */
  protected abstract describeStyle(frame: Frame): string

  protected abstract paint(frame: Frame): void

  /** The cached image is larger than the view. */
  draw(frame: Frame) {
    const style = this.describeStyle(frame)
    const isMoved = style === this.#drawnStyle
    this.#drawnStyle = style
    this.#corner = formatCorner(frame)
    if (!isMoved) {
      this.#cached = undefined
      this.paint(frame)
    } else if (!this.#cached || !isWithin(frame, this.#cached)) {
      this.#cached = widened(frame)
      this.paint(this.#cached)
    }
    if (this.#cached) copy(this.#cached, frame)
  }

  protected override isDrawn(frame: Frame) {
    return this.describeStyle(frame) === this.#drawnStyle && formatCorner(frame) === this.#corner
  }
}

const formatCorner = ({ minX, maxY }: Frame) => `${minX},${maxY}`

const marginPx = 192

/** The same view with a margin, on its own canvas. */
function widened({ width, height, scale, minX, maxY, pixelRatio, zoom }: Frame): Frame {
  const canvas = document.createElement('canvas')
  const wide = { width: width + 2 * marginPx, height: height + 2 * marginPx }
  canvas.width = Math.round(wide.width * pixelRatio)
  canvas.height = Math.round(wide.height * pixelRatio)
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  context.scale(pixelRatio, pixelRatio)
  const left = minX - marginPx / scale
  const worlds = worldsBetween(left, left + wide.width / scale).map((world) => world * worldWidthM)
  return { ...wide, context, scale, zoom, pixelRatio, worlds, minX: left, maxY: maxY + marginPx / scale }
}

const isWithin = (frame: Frame, cached: Frame) => {
  const [right, down] = [(frame.minX - cached.minX) * cached.scale, (cached.maxY - frame.maxY) * cached.scale]
  return right >= 0 && down >= 0 && right <= 2 * marginPx && down <= 2 * marginPx
}

function copy(cached: Frame, { context, scale, minX, maxY, pixelRatio }: Frame) {
  // Rounded to whole pixels, because the image would be blurred otherwise.
  const x = Math.round((cached.minX - minX) * scale * pixelRatio) / pixelRatio
  const y = Math.round((maxY - cached.maxY) * scale * pixelRatio) / pixelRatio
  context.drawImage(cached.context.canvas, x, y, cached.width, cached.height)
}
