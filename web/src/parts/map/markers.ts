import { type ShownStatus, shownStatuses } from '../status.ts'
import { mercatorX, mercatorY, type Place } from './mercator.ts'

export interface MapPoint {
  id: string
  name: string
  status: ShownStatus
  /** null is drawn at 0,0 and ignored when the view is fitted. */
  place: Place | null
  /** Street, city and state. */
  address?: string | undefined
  /** Of the service line, if the name leads to its page. */
  nickname?: string | undefined
}

/** Positions and kinds as typed arrays: 100,000 markers need three allocations instead of 100,000 objects. */
export interface Markers {
  points: readonly MapPoint[]
  /** Mercator meters. */
  x: Float64Array
  y: Float64Array
  /** Index into `shownStatuses`. */
  kind: Uint8Array
}

/** 8 to 40 pixels, growing with the zoom. */
export const markerSizePx = (zoom: number) => Math.max(8, Math.min(40, 6 + 2 * zoom))

export function packPoints(points: readonly MapPoint[]): Markers {
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
export function pickPoints(packed: Markers, shown: Uint32Array): Markers {
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

const kindByStatus = Object.fromEntries(shownStatuses.map((status, kind) => [status, kind])) as Record<
  ShownStatus,
  number
>

export const noMarkers = packPoints([])
