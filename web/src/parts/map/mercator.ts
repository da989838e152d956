export type Place = readonly [latitude: number, longitude: number]

export const worldWidthM = 2 * Math.PI * 6378137
const maxLatitude = 85.0511

export const mercatorX = (longitude: number) => (longitude / 360) * worldWidthM

export const mercatorY = (latitude: number) => {
  const within = Math.max(-maxLatitude, Math.min(maxLatitude, latitude))
  return (worldWidthM / (2 * Math.PI)) * Math.log(Math.tan(Math.PI / 4 + (within * Math.PI) / 360))
}

/** Numbers of the world copies between `minX` and `maxX`; 0 is the one around Greenwich. */
export function worldsBetween(minX: number, maxX: number) {
  const first = Math.floor(minX / worldWidthM + 0.5)
  const last = Math.floor(maxX / worldWidthM + 0.5)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
