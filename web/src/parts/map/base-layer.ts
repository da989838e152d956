import { CachedLayer } from './cached-layer.ts'
import type { Frame } from './canvas-layer.ts'
import { mercatorX, mercatorY, worldWidthM } from './mercator.ts'
import { type Detail, loadOutlines, type Outlines } from './outlines.ts'

const palettes = {
  light: { water: '#e3eaf1', land: '#fafbfc', coast: '#b6c3d1', border: '#d5dde6', grid: 'rgb(100 116 139 / 0.12)' },
  dark: { water: '#0a1222', land: '#18243b', coast: '#3a4d6b', border: '#2a3a55', grid: 'rgb(148 163 184 / 0.09)' },
}
export type MapScheme = keyof typeof palettes

/** From this zoom on, the steps of the coarse outlines become visible. */
const fineFromZoom = 4.4

/** Water, land and a grid: the map is never blank, even without tiles. */
export class BaseLayer extends CachedLayer {
  #outlines: Outlines | undefined
  #shown: Detail | undefined
  #wanted: Detail = 'coarse'
  #isCovered = true
  #zoom = 0
  #scheme: MapScheme

  constructor(scheme: MapScheme) {
    super('map-base')
    this.#scheme = scheme
    this.#load('coarse')
  }

  /** Under tiles the fine outlines are not visible, so they are not loaded. */
  setCovered(isCovered: boolean) {
    this.#isCovered = isCovered
    this.#refine()
  }

  #refine() {
    if (!this.#isCovered && this.#wanted === 'coarse' && this.#zoom > fineFromZoom) this.#load('fine')
  }

  #load(detail: Detail) {
    this.#wanted = detail
    loadOutlines(detail).then(
      (outlines) => {
        // The coarse outlines may finish loading last.
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

  protected describeStyle({ scale, width, height, pixelRatio }: Frame) {
    return [scale, width, height, pixelRatio, this.#scheme, this.#shown].join()
  }

  protected paint(frame: Frame) {
    this.#zoom = frame.zoom
    this.#refine()
    const palette = palettes[this.#scheme]
    const { context, width, height } = frame
    context.fillStyle = palette.water
    context.fillRect(0, 0, width, height)
    drawGrid(frame, palette.grid)
    // Land that crosses the antimeridian continues in the neighboring copy of the world.
    const around = new Set(frame.worlds.flatMap((world) => [world - worldWidthM, world, world + worldWidthM]))
    for (const world of around) if (this.#outlines) drawLand(frame, this.#outlines, world, palette)
  }
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
    // Land smaller than a pixel is invisible. It appears at the next zoom step.
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
