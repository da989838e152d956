import type { Place } from '../../parts/map/mercator.ts'

const EARTH_KM = 6371
const STEPS = 72
const toRadians = (degrees: number) => (degrees * Math.PI) / 180
const toDegrees = (radians: number) => (radians * 180) / Math.PI

/** The outline of an area as a closed line; empty while the input is not valid. */
export const listEdge = (latitude: string, longitude: string, radiusKm: string): Place[] => {
  const [north, east, km] = [latitude, longitude, radiusKm].map((text) =>
    text.trim() === '' ? Number.NaN : Number(text),
  )
  if (north === undefined || east === undefined || km === undefined) return []
  if (!(Math.abs(north) <= 90 && Math.abs(east) <= 180 && km > 0 && km < 20_000)) return []
  const angle = km / EARTH_KM
  const from = toRadians(north)
  return Array.from({ length: STEPS + 1 }, (_, step): Place => {
    const bearing = (step / STEPS) * 2 * Math.PI
    const to = Math.asin(Math.sin(from) * Math.cos(angle) + Math.cos(from) * Math.sin(angle) * Math.cos(bearing))
    const turn = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(from),
      Math.cos(angle) - Math.sin(from) * Math.sin(to),
    )
    return [toDegrees(to), east + toDegrees(turn)]
  })
}
