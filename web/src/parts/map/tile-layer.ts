import { CanvasLayer, type Frame } from './canvas-layer.ts'
import { TileStore } from './tile-store.ts'
import { findAncestorTile, listTilesInView, type Tile } from './tiles.ts'

const levelsAbove = 4

/** Raster tiles over the outlines. A missing tile is replaced by a coarser one, or by the outlines. */
export class TileLayer extends CanvasLayer {
  readonly #store: TileStore

  /** `onTileSettled` is called for every tile with whether it loaded. */
  constructor(template: string, onTileSettled: (isLoaded: boolean) => void) {
    super('map-tiles')
    this.#store = new TileStore(template, (isLoaded) => {
      if (isLoaded) this.changed()
      onTileSettled(isLoaded)
    })
  }

  override disposeInternal() {
    this.#store.close()
    super.disposeInternal()
  }

  draw(frame: Frame) {
    const placed = listTilesInView(frame)
    for (const { tile, left, top, sizePx } of placed) this.#drawTile(frame.context, tile, left, top, sizePx)
    this.#store.want(placed.map(({ tile }) => tile))
  }

  #drawTile(context: CanvasRenderingContext2D, tile: Tile, left: number, top: number, sizePx: number) {
    for (let levels = 0; levels <= Math.min(levelsAbove, tile.z); levels++) {
      const part = findAncestorTile(tile, levels)
      const picture = this.#store.find(part.tile)
      if (!picture) continue
      const { naturalWidth: width, naturalHeight: height } = picture
      // Rounded to whole pixels, because a seam between two tiles would be visible as a line.
      const [x, y] = [Math.floor(left), Math.floor(top)]
      const [toX, toY] = [Math.floor(left + sizePx), Math.floor(top + sizePx)]
      context.drawImage(
        picture,
        part.left * width,
        part.top * height,
        part.side * width,
        part.side * height,
        x,
        y,
        toX - x,
        toY - y,
      )
      return
    }
  }
}
