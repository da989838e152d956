import { mercatorY, worldWidthM } from './mercator.ts'

/**
 * A ring that crosses the antimeridian jumps from one edge of the world to the other. This continues it beyond the edge
 * instead, then shifts it so that its center is inside the world. Points are alternating x and y.
 */
export function unwrapLongitudes(points: Float64Array): Float64Array {
  const unrolled = Float64Array.from(points)
  let turn = 0
  for (let index = 2; index < points.length; index += 2) {
    turn -= Math.round(((points[index] as number) - (points[index - 2] as number)) / worldWidthM) * worldWidthM
    unrolled[index] = (points[index] as number) + turn
  }
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let index = 0; index < unrolled.length; index += 2) {
    min = Math.min(min, unrolled[index] as number)
    max = Math.max(max, unrolled[index] as number)
  }
  const shift = Math.round((min + max) / 2 / worldWidthM) * worldWidthM
  for (let index = 0; index < unrolled.length; index += 2) unrolled[index] = (unrolled[index] as number) - shift
  return turn === 0 ? unrolled : closeOverPole(unrolled)
}

/** Antarctica's ring goes around the world and does not close. It is closed along the bottom edge of the map. */
function closeOverPole(points: Float64Array) {
  const bottom = mercatorY(-90)
  return Float64Array.from([...points, points.at(-2) as number, bottom, points[0] as number, bottom])
}
