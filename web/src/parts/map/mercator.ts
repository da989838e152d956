export type Place = readonly [latitude: number, longitude: number]

export const worldWidthM = 2 * Math.PI * 6378137
const maxLatitude = 85.0511

export const mercatorX = (longitude: number) => (longitude / 360) * worldWidthM

export const mercatorY = (latitude: number) => {
  const within = Math.max(-maxLatitude, Math.min(maxLatitude, latitude))
  return (worldWidthM / (2 * Math.PI)) * Math.log(Math.tan(Math.PI / 4 + (within * Math.PI) / 360))
}

/** The position at Mercator meters, in the world copy around Greenwich. */
export const toPlace = (x: number, y: number): Place => {
  const turns = x / worldWidthM
  const latitude = (Math.atan(Math.sinh((y * 2 * Math.PI) / worldWidthM)) * 180) / Math.PI
  return [latitude, (turns - Math.round(turns)) * 360]
}

/** The ground distance of a Mercator meter: half at 60 degrees, where the map is twice as large. */
export const scaleAt = (y: number) => 1 / Math.cosh((y * 2 * Math.PI) / worldWidthM)

/** Numbers of the world copies between `minX` and `maxX`; 0 is the one around Greenwich. */
export function worldsBetween(minX: number, maxX: number) {
  const first = Math.floor(minX / worldWidthM + 0.5)
  const last = Math.floor(maxX / worldWidthM + 0.5)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
