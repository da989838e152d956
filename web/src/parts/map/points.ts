import type { MapPoint } from './markers.ts'

const isPlace = (place: unknown): place is [number, number] =>
  Array.isArray(place) && place.length === 2 && Number.isFinite(place[0]) && Number.isFinite(place[1])

/** What the map was given, made safe to draw: a place that is none stands at 0,0 and does not count for the view. */
export function readPoints(points: unknown): { points: readonly MapPoint[]; problems: string[] } {
  if (!Array.isArray(points)) return { points: [], problems: ['Invalid terminals format. Expected an array.'] }
  const given = points as MapPoint[]
  const unplaced = given.filter(({ place }) => !isPlace(place)).length
  if (unplaced === 0) return { points: given, problems: [] }
  return {
    points: given.map((point) => (isPlace(point.place) ? point : { ...point, place: null })),
    problems: [
      'Error parsing terminal coordinates',
      ...(unplaced === given.length ? ['No valid coordinates found for markers.'] : []),
    ],
  }
}
