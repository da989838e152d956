import { CanvasLayer, type Frame } from './canvas-layer.ts'
import { mercatorX, mercatorY, worldsBetween, worldWidthM } from './mercator.ts'
import type { Box } from './name-places.ts'
import { type Detail, loadOutlines, type Outlines } from './outlines.ts'
import { drawPlaceNames, loadPlaceNames } from './place-names.ts'

const palettes = {
  light: { water: '#e3eaf1', land: '#fafbfc', coast: '#b6c3d1', border: '#d5dde6', grid: 'rgb(100 116 139 / 0.12)' },
  dark: { water: '#0a1222', land: '#18243b', coast: '#3a4d6b', border: '#2a3a55', grid: 'rgb(148 163 184 / 0.09)' },
}
export type MapScheme = keyof typeof palettes

/** From this zoom on, the steps of the coarse outlines become visible. */
const fineFromZoom = 4.4

/** Below this zoom only oceans would be named. */
const namesFromZoom = 1.5

const nameColors = {
  light: { water: '#475f7c', town: '#3b4757', halo: '#f6f8fa' },
  dark: { water: '#8fa6c4', town: '#b6c2d4', halo: '#0a1222' },
}

/** What names must not be under. */
export interface Markers {
  listBoxes: (frame: Frame) => Box[]
  /** Changes when a box does. */
  getLayoutKey: (zoom: number) => string
}

/** Water, land, names and a grid: the map is never blank, even without tiles. */
export class BaseLayer extends CanvasLayer {
  #outlines: Outlines | undefined
  #shown: Detail | undefined
  #wanted: Detail = 'coarse'
  #names: Awaited<ReturnType<typeof loadPlaceNames>> | undefined
  #isLoadingNames = false
  #isCovered = true
  #zoom = 0
  #scheme: MapScheme
  #drawnStyle = ''
  #corner = ''
  #cached: Frame | undefined

  readonly #markers: Markers

  constructor(scheme: MapScheme, markers: Markers) {
    super('map-base')
    this.#scheme = scheme
    this.#markers = markers
    this.#load('coarse')
  }

  /** Under tiles the fine outlines are not visible, so they are not loaded. */
  setCovered(isCovered: boolean) {
    this.#isCovered = isCovered
    this.#refine()
  }

  #refine() {
    if (this.#isCovered) return
    if (this.#wanted === 'coarse' && this.#zoom > fineFromZoom) this.#load('fine')
    if (!this.#isLoadingNames && this.#zoom > namesFromZoom) this.#loadNames()
  }

  #loadNames() {
    this.#isLoadingNames = true
    loadPlaceNames().then(
      (names) => {
        this.#names = names
        this.changed()
      },
      (error) => console.warn('The names of the map did not load:', error),
    )
  }

  #load(detail: Detail) {
    this.#wanted = detail
    loadOutlines(detail).then(
      (outlines) => {
        // The coarse outlines may load last.
        if (this.#shown === 'fine') return
        this.#outlines = outlines
        this.#shown = detail
        this.changed()
      },
      (error) => console.warn('The outlines of the map did not load:', error),
    )
  }

  setScheme(scheme: MapScheme) {
    this.#scheme = scheme
    this.changed()
  }

  /** While the map is only panned, a cached image larger than the view is moved instead of redrawn. */
  draw(frame: Frame) {
    this.#zoom = frame.zoom
    this.#refine()
    const isMoved = this.#describeStyle(frame) === this.#drawnStyle
    this.#drawnStyle = this.#describeStyle(frame)
    this.#corner = formatCorner(frame)
    if (!isMoved) {
      this.#cached = undefined
      this.#paint(frame)
    } else if (!this.#cached || !isWithin(frame, this.#cached)) {
      this.#cached = widened(frame)
      this.#paint(this.#cached)
    }
    if (this.#cached) copy(this.#cached, frame)
  }

  /** When only markers change, the land is not redrawn. */
  protected override isDrawn(frame: Frame) {
    return this.#describeStyle(frame) === this.#drawnStyle && formatCorner(frame) === this.#corner
  }

  #describeStyle({ scale, width, height, pixelRatio, zoom }: Frame) {
    const names = this.#areNamesShown && this.#markers.getLayoutKey(zoom)
    return [scale, width, height, pixelRatio, this.#scheme, this.#shown, names].join()
  }

  /** Tiles have names of their own. */
  get #areNamesShown() {
    return this.#names !== undefined && !this.#isCovered
  }

  #paint(frame: Frame) {
    const palette = palettes[this.#scheme]
    const { context, width, height } = frame
    context.fillStyle = palette.water
    context.fillRect(0, 0, width, height)
    drawGrid(frame, palette.grid)
    // Land that reaches over the antimeridian belongs to the neighboring copy of the world.
    const around = new Set(frame.worlds.flatMap((world) => [world - worldWidthM, world, world + worldWidthM]))
    for (const world of around) if (this.#outlines) drawLand(frame, this.#outlines, world, palette)
    if (this.#names && this.#areNamesShown)
      drawPlaceNames(frame, this.#names, this.#markers.listBoxes(frame), nameColors[this.#scheme])
  }
}

const formatCorner = ({ minX, maxY }: Frame) => `${minX},${maxY}`

const marginPx = 192

/** The same view with a margin around it, on a canvas of its own. */
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
  // Rounded to whole pixels, because the image would blur otherwise.
  const x = Math.round((cached.minX - minX) * scale * pixelRatio) / pixelRatio
  const y = Math.round((maxY - cached.maxY) * scale * pixelRatio) / pixelRatio
  context.drawImage(cached.context.canvas, x, y, cached.width, cached.height)
}

function drawLand(frame: Frame, outlines: Outlines, world: number, palette: (typeof palettes)['light']) {
  const { context, scale, minX, maxY, width, height, pixelRatio } = frame
  const left = minX - world
  context.save()
  context.scale(scale, -scale)
  context.translate(-left, -maxY)
  context.lineWidth = 1 / scale / Math.min(pixelRatio, 1.5)
  context.lineJoin = 'round'
  context.fillStyle = palette.land
  context.strokeStyle = palette.coast
  for (const { path, box } of outlines.land) {
    const hidden = box[2] < left || box[0] > left + width / scale || box[3] < maxY - height / scale || box[1] > maxY
    // Land smaller than a pixel is only a speck. It appears at the next zoom step.
    if (hidden || Math.max(box[2] - box[0], box[3] - box[1]) * scale < 1) continue
    context.fill(path, 'evenodd')
    context.stroke(path)
  }
  context.strokeStyle = palette.border
  context.stroke(outlines.borders)
  context.restore()
}

const gridStepsDegrees = [30, 15, 10, 5, 2, 1]
const smallestCellPx = 90

function drawGrid({ context, scale, minX, maxY, width, height, worlds }: Frame, color: string) {
  const step = gridStepsDegrees.findLast((degrees) => mercatorX(degrees) * scale >= smallestCellPx) ?? 30
  context.beginPath()
  for (const world of worlds) {
    for (let longitude = -180; longitude < 180; longitude += step) {
      const x = Math.round((mercatorX(longitude) + world - minX) * scale) + 0.5
      if (x < 0 || x > width) continue
      context.moveTo(x, 0)
      context.lineTo(x, height)
    }
  }
  for (let latitude = -80; latitude <= 80; latitude += step) {
    const y = Math.round((maxY - mercatorY(latitude)) * scale) + 0.5
    if (y < 0 || y > height) continue
    context.moveTo(0, y)
    context.lineTo(width, y)
  }
  context.strokeStyle = color
  context.lineWidth = 1
  context.stroke()
}
