import { worldWidthM } from './mercator.ts'

export interface Tile {
  z: number
  x: number
  y: number
}

interface View {
  zoom: number
  /** Pixels per meter, and the meters at the top left corner. */
  scale: number
  minX: number
  maxY: number
  width: number
  height: number
}

export const closestTileZoom = 19

/** The tiles that cover a view, nearest to its center first, each with its position and size in pixels. */
export function listTilesInView({ zoom, scale, minX, maxY, width, height }: View) {
  const z = Math.max(0, Math.min(closestTileZoom, Math.round(zoom)))
  const across = 2 ** z
  const sizePx = (worldWidthM / across) * scale
  const leftPx = (-worldWidthM / 2 - minX) * scale
  const topPx = (maxY - worldWidthM / 2) * scale
  const placed: { tile: Tile; left: number; top: number; sizePx: number }[] = []
  for (let column = Math.floor(-leftPx / sizePx); leftPx + column * sizePx < width; column++) {
    for (let y = Math.max(0, Math.floor(-topPx / sizePx)); y < across && topPx + y * sizePx < height; y++) {
      // Every copy of the world has the same tiles.
      const x = ((column % across) + across) % across
      placed.push({ tile: { z, x, y }, left: leftPx + column * sizePx, top: topPx + y * sizePx, sizePx })
    }
  }
  const fromMiddle = ({ left, top }: (typeof placed)[number]) =>
    Math.hypot(left + sizePx / 2 - width / 2, top + sizePx / 2 - height / 2)
  return placed.sort((a, b) => fromMiddle(a) - fromMiddle(b))
}

/** The ancestor of a tile, `levels` up, and the part of it that the tile covers, as fractions of its width. */
export function findAncestorTile({ z, x, y }: Tile, levels: number) {
  const side = 2 ** levels
  const tile = { z: z - levels, x: Math.floor(x / side), y: Math.floor(y / side) }
  return { tile, left: (x % side) / side, top: (y % side) / side, side: 1 / side }
}

/** The URL of a tile. `{a-c}` stands for one of several host names of the same server. */
export const buildTileUrl = (template: string, { z, x, y }: Tile) =>
  template
    .replace('{z}', String(z))
    .replace('{x}', String(x))
    .replace('{y}', String(y))
    .replace(/\{([a-z])-([a-z])\}/, (_, from: string, to: string) => {
      const names = to.charCodeAt(0) - from.charCodeAt(0) + 1
      return String.fromCharCode(from.charCodeAt(0) + ((x + y) % Math.max(1, names)))
    })
