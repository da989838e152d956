import { outlineUrls } from 'virtual:outlines'
import { unwrapLongitudes } from './unwrap.ts'

/** One island or continent: a path in Mercator meters and its bounding box. */
interface Land {
  path: Path2D
  box: [minX: number, minY: number, maxX: number, maxY: number]
}
export interface Outlines {
  land: Land[]
  borders: Path2D
}

export type Detail = keyof typeof outlineUrls

const loading = new Map<Detail, Promise<Outlines>>()

/** Coasts and borders from Natural Earth, loaded once, from our own server. */
export function loadOutlines(detail: Detail) {
  const known = loading.get(detail)
  if (known) return known
  const begun = fetch(outlineUrls[detail])
    .then((response) => response.arrayBuffer())
    .then((buffer) => decodeOutlines(new Uint8Array(buffer)))
  loading.set(detail, begun)
  // Not cached, so that the next map retries.
  begun.catch(() => loading.delete(detail))
  return begun
}

/** See encode-outlines.ts for the layout. */
function decodeOutlines(bytes: Uint8Array): Outlines {
  let at = 0
  const read = () => {
    let value = 0
    let weight = 1
    let byte: number
    do {
      byte = bytes[at++] as number
      value += (byte & 127) * weight
      weight *= 128
    } while (byte > 127)
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
  const readList = <T>(readOne: () => T) => Array.from({ length: read() }, readOne)

  const stepM = read()
  let x = 0
  let y = 0
  const arcs = readList(() =>
    Float64Array.from(
      readList(() => {
        x += read() * stepM
        y += read() * stepM
        return [x, y]
      }).flat(),
    ),
  )
  const land = readList(() => toLand(readList(() => unwrapLongitudes(joinArcs(readList(read), arcs)))))
  const borders = new Path2D()
  for (const id of readList(read)) draw(borders, unwrapLongitudes(arcs[id] as Float64Array))
  return { land, borders }
}

function joinArcs(ids: number[], arcs: Float64Array[]) {
  const points: number[] = []
  for (const id of ids) {
    const arc = arcs[id < 0 ? ~id : id] as Float64Array
    for (let index = 0; index < arc.length; index += 2) {
      const from = id < 0 ? arc.length - 2 - index : index
      points.push(arc[from] as number, arc[from + 1] as number)
    }
  }
  return Float64Array.from(points)
}

function toLand(rings: Float64Array[]): Land {
  const path = new Path2D()
  const box: Land['box'] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const ring of rings) {
    draw(path, ring)
    path.closePath()
    for (let index = 0; index < ring.length; index += 2) {
      const [x, y] = [ring[index] as number, ring[index + 1] as number]
      box[0] = Math.min(box[0], x)
      box[1] = Math.min(box[1], y)
      box[2] = Math.max(box[2], x)
      box[3] = Math.max(box[3], y)
    }
  }
  return { path, box }
}

function draw(path: Path2D, points: Float64Array) {
  for (let index = 0; index < points.length; index += 2) {
    const [x, y] = [points[index] as number, points[index + 1] as number]
    if (index === 0) path.moveTo(x, y)
    else path.lineTo(x, y)
  }
}
