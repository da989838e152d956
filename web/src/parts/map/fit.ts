import { mercatorX, mercatorY, type Place } from './mercator.ts'

export type Extent = [minX: number, minY: number, maxX: number, maxY: number]

/**
 * The smallest box around all positions in Mercator meters. Longitudes are unwrapped at the widest gap between neighbors,
 * so that Attu at 173° E and Adak at 176° W are 11 degrees apart and not 349: the box may extend beyond 180°.
 */
export function computeExtent(places: readonly Place[]): Extent | undefined {
  if (places.length === 0) return undefined
  const longitudes = places.map(([, longitude]) => ((longitude % 360) + 360) % 360).sort((a, b) => a - b)
  const first = longitudes[0] as number
  const last = longitudes.at(-1) as number
  let west = first
  let span = last - first
  for (let index = 1; index < longitudes.length; index++) {
    const around = (longitudes[index - 1] as number) + 360 - (longitudes[index] as number)
    if (around >= span) continue
    span = around
    west = longitudes[index] as number
  }
  if (west > 180) west -= 360
  const ys = places.map(([latitude]) => mercatorY(latitude))
  const minY = ys.reduce((a, b) => Math.min(a, b))
  const maxY = ys.reduce((a, b) => Math.max(a, b))
  return [mercatorX(west), minY, mercatorX(west + span), maxY]
}
