import type { TerminalListItem } from '../terminals.ts'
import { formatPosition } from './units.ts'

type Address = Pick<TerminalListItem, 'street' | 'city' | 'state'>
type Located = Pick<TerminalListItem, 'isMobile' | 'coordinates'>

/**
 * 'Nome, AK', or as much of it as is known; for a vessel the position, because its address is that of its
 * owner.
 */
export const formatPlace = ({ city, state, street, isMobile, coordinates }: Address & Located) =>
  isMobile && coordinates ? formatPosition(coordinates) : [city || street, state].filter(Boolean).join(', ') || '-'

/** Street, city and state, or as much of it as is known; for a vessel the position. */
export const formatAddress = ({ street, city, state, isMobile, coordinates }: Address & Located) =>
  isMobile && coordinates ? formatPosition(coordinates) : [street, city, state].filter(Boolean).join(', ')
