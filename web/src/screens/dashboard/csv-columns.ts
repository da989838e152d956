import type { TerminalListItem } from '#contract/terminals.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import { shownStatus, statusLabels } from '../../parts/status.ts'

/** The list as a file: what an entry shows and what the map reads. */
export const csvColumns = [
  { header: 'customname', value: getDisplayName },
  { header: 'nickname', value: ({ nickname }: TerminalListItem) => nickname },
  { header: 'deviceID', value: ({ deviceID }: TerminalListItem) => deviceID },
  { header: 'status', value: (terminal: TerminalListItem) => statusLabels[shownStatus(terminal)] },
  { header: 'alerts', value: ({ alerts }: TerminalListItem) => alerts.join(', ') },
  { header: 'isMobile', value: ({ isMobile }: TerminalListItem) => isMobile },
  { header: 'latitude', value: ({ coordinates }: TerminalListItem) => coordinates?.[0] },
  { header: 'longitude', value: ({ coordinates }: TerminalListItem) => coordinates?.[1] },
  { header: 'street', value: ({ street }: TerminalListItem) => street },
  { header: 'city', value: ({ city }: TerminalListItem) => city },
  { header: 'state', value: ({ state }: TerminalListItem) => state },
  { header: 'lastSeen', value: ({ lastSeen }: TerminalListItem) => lastSeen?.toISOString() },
]
