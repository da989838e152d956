import { cellToLatLng } from 'h3-js'
import type { FleetRow } from './fleet-queries.ts'

/**
 * The first terminal of a line has the line's id, so that it stays the same item when its dish is replaced. Further
 * terminals add their position on the line.
 */
export const formatItemId = ({ line_id, place }: Pick<FleetRow, 'line_id' | 'place'>) =>
  place === 1 ? String(line_id) : `${line_id}.${place}`

type Located = Pick<FleetRow, 'is_mobile' | 'latitude' | 'longitude' | 'h3_cell'>

/** A mobile line is where its dish is, not at its service address. */
export const getCoordinates = ({ is_mobile, latitude, longitude, h3_cell }: Located): [number, number] | null => {
  const cell = is_mobile && h3_cell !== null ? getCellCenter(h3_cell) : null
  if (cell) return cell
  return latitude === null || longitude === null ? null : [latitude, longitude]
}

export const getCellCenter = (h3Cell: string): [number, number] | null => {
  try {
    const [latitude, longitude] = cellToLatLng(h3Cell)
    return [rounded(latitude), rounded(longitude)]
  } catch {
    return null
  }
}

const rounded = (degrees: number) => Math.round(degrees * 100_000) / 100_000
