import type { MapScheme } from './base-layer.ts'
import { CanvasLayer, type Frame } from './canvas-layer.ts'
import { type Markers, markerSizePx, noMarkers } from './markers.ts'
import { blit, type Raster, toRaster } from './raster.ts'
import { drawSprites, type Sprite } from './sprites.ts'

/** With more markers than this in view, most of them overlap. */
const crowd = 10_000

/** Draws all markers on one canvas as copies of four sprites. */
export class MarkerLayer extends CanvasLayer {
  #markers: Markers = noMarkers
  #highlighted: number | undefined
  #scheme: MapScheme
  #sprites: { key: string; shapes: Sprite[] } = { key: '', shapes: [] }
  #picture: ImageData | undefined

  constructor(scheme: MapScheme) {
    super('map-markers')
    this.#scheme = scheme
  }

  setScheme(scheme: MapScheme) {
    this.#scheme = scheme
    this.changed()
  }

  setMarkers(markers: Markers) {
    this.#markers = markers
    this.changed()
  }

  highlight(at: number | undefined) {
    if (at === this.#highlighted) return
    this.#highlighted = at
    this.changed()
  }

  draw(frame: Frame) {
    const { context, zoom, worlds } = frame
    const { width, height } = context.canvas
    if (this.#markers.points.length === 0 || width === 0 || height === 0) return
    const sizePx = Math.round(markerSizePx(zoom))
    const sprites = this.#spritesFor(sizePx, frame.pixelRatio)
    const picture = this.#emptyPicture(width, height)
    for (const world of worlds) this.#drawWorld(frame, world, sizePx, sprites, toRaster(picture))
    context.putImageData(picture, 0, 0)
    if (this.#highlighted !== undefined) for (const world of worlds) this.#drawHighlight(frame, world, sizePx)
  }

  #emptyPicture(width: number, height: number) {
    if (this.#picture?.width !== width || this.#picture.height !== height) this.#picture = new ImageData(width, height)
    else this.#picture.data.fill(0)
    return this.#picture
  }

  #drawWorld(frame: Frame, world: number, sizePx: number, sprites: Sprite[], picture: Raster) {
    const { scale, minX, maxY, width, height, pixelRatio } = frame
    const { order, x, y, kind } = this.#markers
    const half = sizePx / 2
    // Of markers of one kind that are less than a quarter of their size apart, only the first is drawn; in a crowd, less
    // than half of it. Zooming in separates them.
    const isCrowd = this.#countInView(frame, world, half) > crowd
    const cellPx = Math.max(1, sizePx / (isCrowd ? 2 : 4))
    const columns = Math.ceil((width + 2 * sizePx) / cellPx) + 1
    const taken = new Uint8Array(columns * (Math.ceil((height + 2 * sizePx) / cellPx) + 1))
    for (const at of order) {
      const px = ((x[at] as number) + world - minX) * scale
      const py = (maxY - (y[at] as number)) * scale
      if (px < -half || py < -half || px > width + half || py > height + half) continue
      const shape = kind[at] as number
      const cell = Math.floor((px + sizePx) / cellPx) + columns * Math.floor((py + sizePx) / cellPx)
      const known = taken[cell] as number
      if (known & (1 << shape)) continue
      taken[cell] = known | (1 << shape)
      const sprite = sprites[shape] as Sprite
      blit(sprite, picture, Math.round((px - half) * pixelRatio), Math.round((py - half) * pixelRatio))
    }
  }

  #countInView({ scale, minX, maxY, width, height }: Frame, world: number, half: number) {
    const { x, y } = this.#markers
    if (x.length <= crowd) return x.length
    const left = minX - world - half / scale
    const right = minX - world + (width + half) / scale
    const top = maxY + half / scale
    const bottom = maxY - (height + half) / scale
    let count = 0
    for (let at = 0; at < x.length; at++) {
      const east = x[at] as number
      const north = y[at] as number
      if (east >= left && east <= right && north >= bottom && north <= top) count++
    }
    return count
  }

  #drawHighlight({ context, scale, minX, maxY, pixelRatio }: Frame, world: number, sizePx: number) {
    const at = this.#highlighted as number
    const shape = this.#spritesFor(sizePx, pixelRatio)[this.#markers.kind[at] as number]?.canvas
    if (!shape) return
    const px = ((this.#markers.x[at] as number) + world - minX) * scale
    const py = (maxY - (this.#markers.y[at] as number)) * scale
    const large = sizePx * 1.4
    context.beginPath()
    context.arc(px, py, large * 0.75, 0, 2 * Math.PI)
    context.fillStyle = this.#scheme === 'dark' ? 'rgb(226 232 240 / 0.25)' : 'rgb(15 23 42 / 0.16)'
    context.fill()
    context.drawImage(shape, px - large / 2, py - large / 2, large, large)
  }

  #spritesFor(sizePx: number, pixelRatio: number) {
    const key = `${sizePx}/${pixelRatio}/${this.#scheme}`
    if (this.#sprites.key !== key) this.#sprites = { key, shapes: drawSprites(sizePx, this.#scheme, pixelRatio) }
    return this.#sprites.shapes
  }
}
