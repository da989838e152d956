import { placeNamesUrl } from 'virtual:outlines'
import type { Frame } from './canvas-layer.ts'
import { mercatorX, mercatorY } from './mercator.ts'
import { type Box, NamePlacer } from './name-places.ts'

interface PlaceName {
  isWater: boolean
  fromZoom: number
  x: number
  y: number
  name: string
}

let loading: Promise<PlaceName[]> | undefined

/** Names of waters and towns, loaded once, sorted by importance. */
export function loadPlaceNames() {
  loading ??= fetch(placeNamesUrl)
    .then((response) => response.text())
    .then((text) => text.split('\n').map(readLine))
  // Not cached, so that the next map retries.
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

/** See web/build/place-names.ts for the layout. */
function readLine(line: string): PlaceName {
  const [kind, zoom, latitude, longitude, ...words] = line.split(' ')
  return {
    isWater: kind === 'w',
    fromZoom: Number(zoom),
    x: mercatorX(Number(longitude)),
    y: mercatorY(Number(latitude)),
    name: words.join(' '),
  }
}

interface NameColors {
  water: string
  town: string
  halo: string
}

const waterFont = 'italic 500 12px "Inter Variable", sans-serif'
const townFont = '500 12px "Inter Variable", sans-serif'
/** Names that would cover markers or more important names are left out. Towns have a dot. */
export function drawPlaceNames(frame: Frame, names: readonly PlaceName[], markers: readonly Box[], colors: NameColors) {
  const { context, scale, minX, maxY, width, height, zoom, worlds } = frame
  const placer = new NamePlacer(markers)
  context.save()
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 3
  context.strokeStyle = colors.halo
  for (const { isWater, fromZoom, x, y, name } of names) {
    if (zoom < fromZoom) continue
    for (const world of worlds) {
      const px = (x + world - minX) * scale
      const py = (maxY - y) * scale
      if (px < 0 || py < 0 || px > width || py > height) continue
      context.font = isWater ? waterFont : townFont
      const place = placer.place(px, py, context.measureText(name).width, isWater)
      if (!place) continue
      context.strokeText(name, place.left, place.middle)
      context.fillStyle = isWater ? colors.water : colors.town
      context.fillText(name, place.left, place.middle)
      if (isWater) continue
      context.beginPath()
      context.arc(px, py, 2, 0, 2 * Math.PI)
      context.fill()
    }
  }
  context.restore()
}
