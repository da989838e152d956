import { useMemo } from 'react'
import type { TerminalListItem } from '#contract/terminals.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import type { FleetFilter } from '../../parts/fleet/fleet-filter.ts'
import { formatAddress } from '../../parts/fleet/place.ts'
import { LazyTerminalMap } from '../../parts/map/LazyTerminalMap.tsx'
import type { MapDisplay } from '../../parts/map/map-display.ts'
import type { MapPoint } from '../../parts/map/markers.ts'
import { shownStatus } from '../../parts/status.ts'
import { findPositions } from './positions.ts'

interface FleetMapProps {
  terminals: readonly TerminalListItem[]
  /** The terminals that are shown, in the same order. */
  matching: readonly TerminalListItem[]
  highlightedId: string | undefined
  /** What the user filters and searches for; the view follows it. */
  filter: Pick<FleetFilter, 'status' | 'alert' | 'q'>
  isRequested: boolean
  /** What the map shows instead of all terminals that match; see `formatMapPlace`. */
  place: string | undefined
  onMove: (place: string) => void
  /** On a screen that nobody touches. */
  display?: MapDisplay
  onHighlight: (id: string | undefined) => void
  onPick: (id: string) => void
}

const pointCache = new WeakMap<TerminalListItem, MapPoint>()

/** Cached for each state of a terminal, because most terminals do not change between updates. */
function toMapPoint(terminal: TerminalListItem): MapPoint {
  const known = pointCache.get(terminal)
  if (known) return known
  const made = {
    id: terminal.id,
    name: getDisplayName(terminal),
    status: shownStatus(terminal),
    place: terminal.coordinates,
    address: formatAddress(terminal),
  }
  pointCache.set(terminal, made)
  return made
}

export function FleetMap({ terminals, matching, filter, onHighlight, ...rest }: FleetMapProps) {
  const { status, alert, q } = filter
  const points = useMemo(() => terminals.map(toMapPoint), [terminals])
  const shown = useMemo(() => findPositions(terminals, matching), [terminals, matching])
  return (
    <LazyTerminalMap
      points={points}
      shown={shown}
      fitKey={JSON.stringify([status, alert, q])}
      onHover={onHighlight}
      {...rest}
    />
  )
}
