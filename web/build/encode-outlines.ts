/** The part of a TopoJSON file that is read here. */
export interface Topology {
  transform: { scale: [number, number]; translate: [number, number] }
  arcs: [number, number][][]
  objects: { land: GeometryCollection; countries: GeometryCollection }
}
interface GeometryCollection {
  geometries: ({ type: 'Polygon'; arcs: number[][] } | { type: 'MultiPolygon'; arcs: number[][][] })[]
}
type Point = [x: number, y: number]

const toleranceSteps = 1
const smallestIslandSteps = 1.5
const earthRadiusM = 6378137
const maxLatitude = 85.0511

/**
 * Layout, all numbers as zigzag varints: step in meters; arcs (count, then per arc its points, each as the difference to
 * the previous point, also across arcs); land polygons (count, then rings of arc numbers, ~n reversed as in TopoJSON);
 * arc numbers of inland borders. A third of the bytes of the compressed TopoJSON, and already projected.
 */
export function encodeOutlines(topology: Topology, stepM: number): Uint8Array {
  const all = topology.arcs.map((arc) => simplify(toSteps(arc, topology.transform, stepM)))
  const polygons = listPolygons(topology.objects.land).filter((rings) => !isSpeck(rings, all))
  const borders = listBorders(topology)
  const used = [...new Set([...polygons.flat(2).map(unsigned), ...borders])].sort((a, b) => a - b)
  const newIdByOldId = new Map(used.map((id, place) => [id, place]))
  const renumber = (id: number) => (id < 0 ? ~(newIdByOldId.get(~id) as number) : (newIdByOldId.get(id) as number))

  const bytes: number[] = []
  const write = (value: number) => {
    let rest = value < 0 ? -2 * value - 1 : 2 * value
    while (rest > 127) {
      bytes.push((rest & 127) | 128)
      rest = Math.floor(rest / 128)
    }
    bytes.push(rest)
  }
  write(stepM)
  write(used.length)
  let from: Point = [0, 0]
  for (const id of used) {
    const arc = all[id] as Point[]
    write(arc.length)
    for (const [x, y] of arc) {
      write(x - from[0])
      write(y - from[1])
      from = [x, y]
    }
  }
  write(polygons.length)
  for (const rings of polygons) {
    write(rings.length)
    for (const ring of rings) {
      write(ring.length)
      for (const id of ring) write(renumber(id))
    }
  }
  write(borders.length)
  for (const id of borders) write(renumber(id))
  return Uint8Array.from(bytes)
}

const unsigned = (id: number) => (id < 0 ? ~id : id)

/** An island that the coarser step has reduced to a line or a point. */
function isSpeck(rings: number[][], arcs: Point[][]) {
  const [outer = [], ...holes] = rings
  const points = outer.reduce((sum, id) => sum + (arcs[unsigned(id)] as Point[]).length - 1, 0)
  return holes.length === 0 && points < 3
}

const listPolygons = (collection: GeometryCollection) =>
  collection.geometries.flatMap((geometry) => (geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs))

/** An arc that two countries share runs inland; all others are coast. */
function listBorders(topology: Topology) {
  const uses = new Map<number, number>()
  for (const arc of listPolygons(topology.objects.countries).flat(2)) {
    const id = unsigned(arc)
    uses.set(id, (uses.get(id) ?? 0) + 1)
  }
  return [...uses].filter(([, count]) => count > 1).map(([id]) => id)
}

function toSteps(arc: [number, number][], { scale, translate }: Topology['transform'], stepM: number): Point[] {
  let x = 0
  let y = 0
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    const longitude = x * scale[0] + translate[0]
    const latitude = Math.max(-maxLatitude, Math.min(maxLatitude, y * scale[1] + translate[1]))
    const mercatorY = earthRadiusM * Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360))
    return [Math.round((earthRadiusM * longitude * Math.PI) / 180 / stepM), Math.round(mercatorY / stepM)]
  })
}

/** Douglas–Peucker. End points stay, so that arcs still meet. */
function simplify(points: Point[]): Point[] {
  const retained = new Set([0, points.length - 1])
  const spans: [number, number][] = [[0, points.length - 1]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span
    const closed = samePoint(points[from] as Point, points[to] as Point)
    const { index, distance } = farthest(points, from, to)
    if (index === undefined || distance <= (closed ? smallestIslandSteps : toleranceSteps)) continue
    retained.add(index)
    spans.push([from, index], [index, to])
  }
  return points.filter((_, index) => retained.has(index))
}

const samePoint = (a: Point, b: Point) => a[0] === b[0] && a[1] === b[1]

function farthest(points: Point[], from: number, to: number) {
  const [ax, ay] = points[from] as Point
  const [bx, by] = points[to] as Point
  const length = Math.hypot(bx - ax, by - ay)
  let found: { index: number | undefined; distance: number } = { index: undefined, distance: 0 }
  for (let index = from + 1; index < to; index++) {
    const [x, y] = points[index] as Point
    const distance =
      length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length
    if (distance > found.distance) found = { index, distance }
  }
  return found
}
