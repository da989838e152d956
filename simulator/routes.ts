import type { Terminal } from './fleet.ts'
import { between, unit } from './noise.ts'
import { PURPOSE } from './purposes.ts'

type Point = readonly [latitude: number, longitude: number]
type Route = { points: readonly Point[] /** Distance from the start to each point. */; km: readonly number[] }

const KM_PER_DEGREE = 111.2
const HOUR_MS = 3_600_000
const KM_PER_KNOT = 1.852

const createRoute = (...points: Point[]): Route => {
  const km = [0]
  for (const [nth, point] of points.entries()) {
    const next = points[nth + 1]
    if (next) km.push((km[nth] ?? 0) + getDistanceKm(point, next))
  }
  return { points, km }
}

const getDistanceKm = (a: Point, b: Point) =>
  Math.hypot(a[0] - b[0], (a[1] - b[1]) * Math.cos((((a[0] + b[0]) / 2) * Math.PI) / 180)) * KM_PER_DEGREE

const SEA: readonly Route[] = [
  createRoute([57.6, -152.2], [56.6, -154.2], [55.2, -158.4], [54.2, -162.9], [54.3, -165.6], [53.95, -166.45]),
  createRoute([53.95, -166.45], [54.6, -165.2], [55.9, -163.2], [57.2, -160.2], [58.3, -158.6]),
  createRoute([57.6, -152.2], [57.0, -151.6], [58.4, -150.9], [59.4, -149.6]),
]

const DALTON = createRoute(
  [64.95, -147.65],
  [65.52, -148.55],
  [65.87, -149.72],
  [66.56, -150.8],
  [67.25, -150.18],
  [68.13, -149.48],
  [69.4, -148.7],
  [70.2, -148.46],
)

/** Travels back and forth with a rest at each end. */
const findPositionOnRoute = (
  route: Route,
  kmPerHour: number,
  restHours: number,
  atMs: number,
  offset: number,
): Point => {
  const lengthKm = route.km.at(-1) ?? 0
  const travelMs = (lengthKm / kmPerHour) * HOUR_MS
  const restMs = restHours * HOUR_MS
  const cycleMs = 2 * (travelMs + restMs)
  const into = (atMs + offset * cycleMs) % cycleMs
  if (into < travelMs) return interpolatePoint(route, (into / travelMs) * lengthKm)
  if (into < travelMs + restMs) return interpolatePoint(route, lengthKm)
  const back = into - travelMs - restMs
  return interpolatePoint(route, back < travelMs ? (1 - back / travelMs) * lengthKm : 0)
}

const interpolatePoint = (route: Route, km: number): Point => {
  const reached = route.km.findIndex((mark) => mark >= km)
  const to = Math.max(reached, 1)
  const [a, b] = [route.points[to - 1], route.points[to]]
  const [fromKm, toKm] = [route.km[to - 1] ?? 0, route.km[to] ?? 0]
  if (!a || !b) return route.points[0] ?? [0, 0]
  const share = (km - fromKm) / (toKm - fromKm)
  return [between(a[0], b[0], share), between(a[1], b[1], share)]
}

/** Vessels and trucks move; all others have a fixed position. */
export const getPosition = (seed: number, terminal: Terminal, atMs: number): Point => {
  const { index, kind } = terminal
  if (kind !== 'vessel' && kind !== 'truck') return [terminal.latitude, terminal.longitude]
  const speed = unit(seed, index, 0, PURPOSE.speed)
  const offset = unit(seed, index, 0, PURPOSE.offset)
  if (kind === 'truck') return findPositionOnRoute(DALTON, between(60, 90, speed), 9, atMs, offset)
  const route = SEA[index % SEA.length] ?? DALTON
  return findPositionOnRoute(route, between(6, 12, speed) * KM_PER_KNOT, 14, atMs, offset)
}
