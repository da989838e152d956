import KDBush from 'kdbush'
import { type ShownStatus, shownStatuses } from '../status.ts'
import { mercatorX, mercatorY, type Place, worldWidthM } from './mercator.ts'

export interface MapPoint {
  id: string
  name: string
  status: ShownStatus
  /** null stands at 0,0 and does not count when the view is fitted. */
  place: Place | null
}

/** All markers as flat arrays: 100,000 of them are three allocations and no objects to walk. */
export interface Markers {
  points: readonly MapPoint[]
  x: Float64Array
  y: Float64Array
  kind: Uint8Array
  /** Positions in drawing order: what needs attention lies on top. */
  order: Uint32Array
  nearest: (x: number, y: number, withinM: number) => number | undefined
}

/** 8 to 40 pixels, growing with the zoom. */
export const markerSizePx = (zoom: number) => Math.max(8, Math.min(40, 6 + 2 * zoom))

const drawnFirst: ShownStatus[] = ['no data', 'online', 'offline', 'disabled']

export function packMarkers(points: readonly MapPoint[]): Markers {
  const x = new Float64Array(points.length)
  const y = new Float64Array(points.length)
  const kind = new Uint8Array(points.length)
  const index = points.length > 0 ? new KDBush(points.length) : undefined
  points.forEach(({ place, status }, at) => {
    const [latitude, longitude] = place ?? [0, 0]
    x[at] = mercatorX(longitude)
    y[at] = mercatorY(latitude)
    kind[at] = shownStatuses.indexOf(status)
    index?.add(x[at], y[at])
  })
  index?.finish()
  const rank = shownStatuses.map((status) => drawnFirst.indexOf(status))
  const order = Uint32Array.from(points.keys()).sort(
    (a, b) => (rank[kind[a] as number] as number) - (rank[kind[b] as number] as number) || a - b,
  )
  const nearest = (atX: number, atY: number, withinM: number) => {
    // Every copy of the world shows the same markers.
    const home = atX - Math.floor(atX / worldWidthM + 0.5) * worldWidthM
    const found = [home - worldWidthM, home, home + worldWidthM].flatMap((around) =>
      (index?.within(around, atY, withinM) ?? []).map((at) => ({ at, dx: (x[at] as number) - around })),
    )
    const best = found
      .map(({ at, dx }) => ({ at, distance: Math.hypot(dx, (y[at] as number) - atY) }))
      .sort((a, b) => a.distance - b.distance)[0]
    return best?.at
  }
  return { points, x, y, kind, order, nearest }
}
