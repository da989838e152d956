import type { MapPoint } from './markers.ts'

const isPlace = (place: unknown): place is [number, number] =>
  Array.isArray(place) && place.length === 2 && Number.isFinite(place[0]) && Number.isFinite(place[1])

interface GivenPoints {
  points: readonly MapPoint[]
  problems: string[]
}

/** Validates the points: an invalid position is drawn at 0,0 and ignored when the view is fitted. */
export function readPoints(points: unknown): GivenPoints {
  if (!Array.isArray(points)) return { points: [], problems: ['Invalid terminals format. Expected an array.'] }
  const given = points as MapPoint[]
  const unplaced = given.filter(({ place }) => !isPlace(place)).length
  if (unplaced === 0) return { points: given, problems: [] }
  return {
    points: given.map((point) => (isPlace(point.place) ? point : { ...point, place: null })),
    problems: placeProblems(unplaced, given.length),
  }
}

/** The problems of the visible points. */
export function listProblems({ points, problems }: GivenPoints, shown: Uint32Array | undefined) {
  if (!shown || points.length === 0 || problems.length === 0) return problems
  let unplaced = 0
  for (const at of shown) if (points[at]?.place === null) unplaced++
  return placeProblems(unplaced, shown.length)
}

function placeProblems(unplaced: number, count: number) {
  if (unplaced === 0) return []
  const [some, all] = ['Error parsing terminal coordinates', 'No valid coordinates found for markers.']
  return unplaced === count ? [some, all] : [some]
}
