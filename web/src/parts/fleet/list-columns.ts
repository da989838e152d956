import type { CsvColumn } from '#contract/csv.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { createRowSearch, type SearchedColumn } from '../../ui/row-search.ts'
import { shownStatus, statusLabels } from '../status.ts'
import { getDisplayName } from './fleet.ts'

type ListColumn = CsvColumn<TerminalListItem> & SearchedColumn<TerminalListItem> & { key: string }

const plain = (key: 'deviceID' | 'nickname' | 'state' | 'street'): ListColumn => {
  const value = (terminal: TerminalListItem) => terminal[key]
  return { key, header: key, value, search: value }
}

/** The columns of the list for CSV files and the search: the fields of a row and of the map. */
export const listColumns: readonly ListColumn[] = [
  { key: 'name', header: 'customname', value: getDisplayName, search: ({ customname }) => customname },
  plain('nickname'),
  plain('deviceID'),
  {
    key: 'status',
    header: 'status',
    value: (terminal) => statusLabels[shownStatus(terminal)],
    search: (terminal) => [statusLabels[shownStatus(terminal)], terminal.status],
  },
  { key: 'alerts', header: 'alerts', value: ({ alerts }) => alerts.join(', '), search: ({ alerts }) => alerts },
  {
    key: 'isMobile',
    header: 'isMobile',
    value: ({ isMobile }) => isMobile,
    search: ({ isMobile }) => isMobile && 'Mobile',
  },
  {
    key: 'latitude',
    header: 'latitude',
    value: ({ coordinates }) => coordinates?.[0],
    // With the longitude, because users enter positions as pairs.
    search: ({ coordinates }) => coordinates?.join(', '),
  },
  { key: 'longitude', header: 'longitude', value: ({ coordinates }) => coordinates?.[1] },
  plain('street'),
  {
    key: 'city',
    header: 'city',
    value: ({ city }) => city,
    search: ({ city, state }) => [city, city && state && `${city}, ${state}`],
  },
  plain('state'),
  { key: 'lastSeen', header: 'lastSeen', value: ({ lastSeen }) => lastSeen?.toISOString() },
]

/** Searched although the list does not show it. */
export const listSearch = createRowSearch([
  ...listColumns,
  { search: ({ serviceLine }: TerminalListItem) => serviceLine },
])
