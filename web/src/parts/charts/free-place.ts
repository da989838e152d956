export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** A line through points, broken where there is none. */
export type Path = readonly (readonly [x: number, y: number] | null)[]

/** How much of the segment from `a` to `b` lies between two bounds, as the shares of its length where it enters and leaves. */
const clip = (a: number, b: number, low: number, high: number): [number, number] => {
  if (a === b) return a >= low && a <= high ? [0, 1] : [1, 0]
  const [one, other] = [(low - a) / (b - a), (high - a) / (b - a)]
  return [Math.max(0, Math.min(one, other)), Math.min(1, Math.max(one, other))]
}

const crosses = ({ left, top, width, height }: Box, [ax, ay]: readonly number[], [bx, by]: readonly number[]) => {
  const [fromX, toX] = clip(ax as number, bx as number, left, left + width)
  const [fromY, toY] = clip(ay as number, by as number, top, top + height)
  return Math.max(fromX, fromY) <= Math.min(toX, toY)
}

const countCrossings = (box: Box, path: Path) =>
  path.filter((point, index) => {
    if (point === null) return false
    return crosses(box, path[index - 1] ?? point, point)
  }).length

/** The first of the places that no line passes through, or the one with the least of them. */
export const findFreePlace = <Place extends Box>(
  places: readonly [Place, ...Place[]],
  paths: readonly Path[],
): Place => {
  const crossed = (place: Place) => paths.reduce((sum, path) => sum + countCrossings(place, path), 0)
  let [best] = places
  let least = Number.POSITIVE_INFINITY
  for (const place of places) {
    const count = crossed(place)
    if (count === 0) return place
    if (count < least) [best, least] = [place, count]
  }
  return best
}
