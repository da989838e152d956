import KDBush from 'kdbush'
import { type ShownStatus, shownStatuses } from '../status.ts'
import { mercatorX, mercatorY, type Place, worldWidthM } from './mercator.ts'

export interface MapPoint {
  id: string
  name: string
  status: ShownStatus
  /** null is drawn at 0,0 and ignored when the view is fitted. */
  place: Place | null
  /** Street, city and state. */
  address?: string | undefined
}

/** All markers as typed arrays: 100,000 of them need three allocations instead of 100,000 objects. */
export interface Markers {
  points: readonly MapPoint[]
  x: Float64Array
  y: Float64Array
  kind: Uint8Array
  /** Positions in drawing order. Those that need attention come last, so they are on top. */
  order: Uint32Array
  nearest: (x: number, y: number, withinM: number) => number | undefined
  /** The markers within `withinM` of the one at `at`, including itself. */
  around: (at: number, withinM: number) => number[]
}

/** 8 to 40 pixels, growing with the zoom. */
export const markerSizePx = (zoom: number) => Math.max(8, Math.min(40, 6 + 2 * zoom))

const drawnFirst: ShownStatus[] = ['no data', 'online', 'offline', 'disabled']

/** The position and kind of each point, in the order of the points. */
interface Packed extends Pick<Markers, 'points' | 'x' | 'y' | 'kind'> {}

export function packPoints(points: readonly MapPoint[]): Packed {
  const x = new Float64Array(points.length)
  const y = new Float64Array(points.length)
  const kind = new Uint8Array(points.length)
  for (let at = 0; at < points.length; at++) {
    const { place, status } = points[at] as MapPoint
    x[at] = place ? mercatorX(place[1]) : 0
    y[at] = place ? mercatorY(place[0]) : 0
    kind[at] = kindByStatus[status]
  }
  return { points, x, y, kind }
}

/** The points at the positions `shown`, in that order. */
export function pickPoints(packed: Packed, shown: Uint32Array): Packed {
  const { length } = shown
  const points = new Array<MapPoint>(length)
  const x = new Float64Array(length)
  const y = new Float64Array(length)
  const kind = new Uint8Array(length)
  for (let next = 0; next < length; next++) {
    const at = shown[next] as number
    points[next] = packed.points[at] as MapPoint
    x[next] = packed.x[at] as number
    y[next] = packed.y[at] as number
    kind[next] = packed.kind[at] as number
  }
  return { points, x, y, kind }
}

export function buildMarkers({ points, x, y, kind }: Packed): Markers {
  // The index is built on first use: only the pointer needs it, and a search builds new markers with each letter.
  let made: KDBush | undefined
  const index = () => {
    made ??= points.length > 0 ? buildIndex(x, y) : undefined
    return made
  }
  const nearest = (atX: number, atY: number, withinM: number) => {
    // Every copy of the world shows the same markers.
    const home = atX - Math.floor(atX / worldWidthM + 0.5) * worldWidthM
    const found = [home - worldWidthM, home, home + worldWidthM].flatMap((around) =>
      (index()?.within(around, atY, withinM) ?? []).map((at) => ({ at, dx: (x[at] as number) - around })),
    )
    const best = found
      .map(({ at, dx }) => ({ at, distance: Math.hypot(dx, (y[at] as number) - atY) }))
      .sort((a, b) => a.distance - b.distance)[0]
    return best?.at
  }
  const around = (at: number, withinM: number) => index()?.within(x[at] as number, y[at] as number, withinM) ?? []
  return { points, x, y, kind, order: drawingOrder(kind), nearest, around }
}

const kindByStatus = Object.fromEntries(shownStatuses.map((status, kind) => [status, kind])) as Record<
  ShownStatus,
  number
>

function buildIndex(x: Float64Array, y: Float64Array) {
  const index = new KDBush(x.length)
  for (let at = 0; at < x.length; at++) index.add(x[at] as number, y[at] as number)
  return index.finish()
}

/** Ordered by kind, and within a kind by position. */
function drawingOrder(kind: Uint8Array) {
  const order = new Uint32Array(kind.length)
  let next = 0
  for (const status of drawnFirst)
    for (let at = 0; at < kind.length; at++) if (kind[at] === kindByStatus[status]) order[next++] = at
  return order
}

export const noMarkers = buildMarkers(packPoints([]))
