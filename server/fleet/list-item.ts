import { cellToLatLng } from 'h3-js'
import type { TerminalListItem } from '#contract/terminals.ts'
import type { ListRow } from './list-queries.ts'

/**
 * The first terminal of a line goes by the line's id, so that it stays the same item when its dish is exchanged;
 * further ones by their place on the line.
 */
export const itemIdOf = ({ line_id, place }: Pick<ListRow, 'line_id' | 'place'>) =>
  place === 1 ? String(line_id) : `${line_id}.${place}`

type Located = Pick<ListRow, 'is_mobile' | 'latitude' | 'longitude' | 'h3_cell'>

/** A mobile line is where its dish is, not at its service address. */
export const placeOf = ({ is_mobile, latitude, longitude, h3_cell }: Located): [number, number] | null => {
  const cell = is_mobile && h3_cell !== null ? centreOf(h3_cell) : null
  if (cell) return cell
  return latitude === null || longitude === null ? null : [latitude, longitude]
}

const centreOf = (h3Cell: string): [number, number] | null => {
  try {
    const [latitude, longitude] = cellToLatLng(h3Cell)
    return [round(latitude), round(longitude)]
  } catch {
    return null
  }
}

const round = (degrees: number) => Math.round(degrees * 100_000) / 100_000

export const listItemOf = (row: ListRow): TerminalListItem => ({
  id: itemIdOf(row),
  deviceID: row.device_id,
  serviceLine: row.service_line_number,
  nickname: row.nickname,
  customname: row.custom_name ?? row.nickname,
  status: row.status ?? 'no data',
  alerts: row.alerts ?? [],
  isMobile: row.is_mobile,
  coordinates: placeOf(row),
  street: row.street,
  city: row.city,
  state: row.state,
  lastSeen: row.at,
})
