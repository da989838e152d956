export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** A line through points, interrupted at null. */
export type Path = readonly (readonly [x: number, y: number] | null)[]

/** The part of the segment from `a` to `b` that lies between two bounds, as fractions of its length. */
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

/** The first place that no line crosses, or else the one that is crossed least. */
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
