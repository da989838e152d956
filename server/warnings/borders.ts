import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Ring = readonly number[]

interface Topology {
  transform: { scale: [number, number]; translate: [number, number] }
  /** Each a first position and deltas from there. */
  arcs: [number, number][][]
  objects: { countries: { geometries: Country[] } }
}

type Country = { properties: { name: string } } & (
  | { type: 'Polygon'; arcs: Ring[] }
  | { type: 'MultiPolygon'; arcs: Ring[][] }
)

export interface Border {
  km: number
  /** The countries on both sides. */
  countries: [string, string]
}

interface Segment {
  /** Longitude and latitude of both ends. */
  ends: readonly [number, number, number, number]
  countries: [string, string]
}

const KM_OF_DEGREE = 111.2
/** Borders farther away are not searched. */
const FURTHEST_KM = 500

const listArcs = (country: Country) =>
  (country.type === 'Polygon' ? country.arcs : country.arcs.flat()).flat().map((arc) => (arc < 0 ? ~arc : arc))

const decodeArc = ({ transform: { scale, translate } }: Topology, arc: readonly [number, number][]) => {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]] as const
  })
}

const getKey = (longitude: number, latitude: number) => `${Math.floor(longitude)} ${Math.floor(latitude)}`

/** The land borders of Natural Earth at 1:50 million, by cells of one degree. A line that two countries share is a border. */
const loadBorders = (): Map<string, Segment[]> => {
  const path = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json')
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology
  const owners = new Map<number, string[]>()
  for (const country of topology.objects.countries.geometries)
    for (const arc of listArcs(country)) owners.set(arc, [...(owners.get(arc) ?? []), country.properties.name])
  const cells = new Map<string, Segment[]>()
  for (const [arc, names] of owners) {
    const [one, other] = names
    if (one === undefined || other === undefined || one === other) continue
    const points = decodeArc(topology, topology.arcs[arc] ?? [])
    for (const [index, [x, y]] of points.entries()) {
      const next = points[index + 1]
      if (!next) break
      const key = getKey(x, y)
      const segment: Segment = { ends: [x, y, ...next], countries: [one, other].sort() as [string, string] }
      cells.set(key, [...(cells.get(key) ?? []), segment])
    }
  }
  return cells
}

let borders: Map<string, Segment[]> | undefined

/** Both ends in km from the position, on a plane that is flat enough for a few hundred km. */
const getDistanceKm = ([x1, y1, x2, y2]: Segment['ends'], longitude: number, latitude: number) => {
  const shrink = Math.cos((latitude * Math.PI) / 180) * KM_OF_DEGREE
  const [ax, ay] = [(x1 - longitude) * shrink, (y1 - latitude) * KM_OF_DEGREE]
  const [bx, by] = [(x2 - longitude) * shrink, (y2 - latitude) * KM_OF_DEGREE]
  const length = (bx - ax) ** 2 + (by - ay) ** 2
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, (-ax * (bx - ax) - ay * (by - ay)) / length))
  return Math.hypot(ax + along * (bx - ax), ay + along * (by - ay))
}

/** The nearest land border within a distance. */
export const findBorder = ([latitude, longitude]: readonly [number, number], withinKm: number): Border | null => {
  borders ??= loadBorders()
  const reach = Math.min(withinKm, FURTHEST_KM) / KM_OF_DEGREE
  const reachEast = Math.min(180, reach / Math.max(0.05, Math.cos((latitude * Math.PI) / 180)))
  let nearest: Border | null = null
  // A segment is indexed by the cell in which it begins, and may extend into the next.
  for (let east = Math.floor(longitude - reachEast) - 1; east <= longitude + reachEast + 1; east++)
    for (let north = Math.floor(latitude - reach) - 1; north <= latitude + reach + 1; north++)
      for (const { ends, countries } of borders.get(getKey(east, north)) ?? []) {
        const km = getDistanceKm(ends, longitude, latitude)
        if (km <= withinKm && km < (nearest?.km ?? Number.POSITIVE_INFINITY)) nearest = { km, countries }
      }
  return nearest
}
