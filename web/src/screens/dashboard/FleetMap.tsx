import { useMemo } from 'react'
import { formatAddress } from '#contract/format/places.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import type { FleetFilter } from '../../parts/fleet/fleet-filter.ts'
import { LazyTerminalMap } from '../../parts/map/LazyTerminalMap.tsx'
import type { MapDisplay } from '../../parts/map/map-display.ts'
import type { MapPoint } from '../../parts/map/markers.ts'
import { shownStatus } from '../../parts/status.ts'
import { findPositions } from './positions.ts'

interface FleetMapProps {
  terminals: readonly TerminalListItem[]
  /** The visible terminals, in the same order. */
  matching: readonly TerminalListItem[]
  highlightedId: string | undefined
  /** The user's filters and search; the view is fitted to the result. */
  filter: Pick<FleetFilter, 'status' | 'alert' | 'q'>
  isRequested: boolean
  /** A fixed view instead of all matching terminals; see `formatMapPlace`. */
  place: string | undefined
  onMove: (place: string) => void
  /** For an unattended screen. */
  display?: MapDisplay
  onHighlight: (id: string | undefined) => void
  onPick: (id: string) => void
}

const pointCache = new WeakMap<TerminalListItem, MapPoint>()

/** Cached per terminal object, because most terminals do not change between updates. */
function toMapPoint(terminal: TerminalListItem): MapPoint {
  const known = pointCache.get(terminal)
  if (known) return known
  const made = {
    id: terminal.id,
    name: getDisplayName(terminal),
    status: shownStatus(terminal),
    place: terminal.coordinates,
    address: formatAddress(terminal),
    nickname: terminal.nickname,
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
