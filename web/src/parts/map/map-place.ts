import type { Place } from './mercator.ts'

/** The view of a map: its center and zoom. */
export interface MapPlace {
  center: Place
  zoom: number
}

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits

/** As in the URL: 64.2008,-149.4937,4.5. */
export const formatMapPlace = ({ center: [latitude, longitude], zoom }: MapPlace) =>
  [round(latitude, 4), round(longitude, 4), round(zoom, 2)].join(',')

export function readMapPlace(text: string): MapPlace | undefined {
  const [latitude = Number.NaN, longitude = Number.NaN, zoom = Number.NaN] = text.split(',').map(Number)
  const isPlace = Math.abs(latitude) <= 85 && Math.abs(longitude) <= 180 && zoom >= 1 && zoom <= 18
  return isPlace ? { center: [latitude, longitude], zoom } : undefined
}
