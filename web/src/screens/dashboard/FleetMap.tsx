import { useMemo } from 'react'
import type { TerminalListItem } from '#contract/terminals.ts'
import { nameOf } from '../../parts/fleet/fleet.ts'
import { addressOf } from '../../parts/fleet/place.ts'
import { LazyTerminalMap } from '../../parts/map/LazyTerminalMap.tsx'
import type { MapPoint } from '../../parts/map/markers.ts'
import { shownStatus } from '../../parts/status.ts'

interface FleetMapProps {
  terminals: readonly TerminalListItem[]
  highlightedId: string | undefined
  onHighlight: (id: string | undefined) => void
  onPick: (id: string) => void
}

const remembered = new WeakMap<TerminalListItem, MapPoint>()

/** Made once for each state of a terminal: with each letter of a search, thousands of them are asked for. */
function pointOf(terminal: TerminalListItem): MapPoint {
  const known = remembered.get(terminal)
  if (known) return known
  const made = {
    id: terminal.id,
    name: nameOf(terminal),
    status: shownStatus(terminal),
    place: terminal.coordinates,
    address: addressOf(terminal),
  }
  remembered.set(terminal, made)
  return made
}

export function FleetMap({ terminals, highlightedId, onHighlight, onPick }: FleetMapProps) {
  const points = useMemo(() => terminals.map(pointOf), [terminals])
  return <LazyTerminalMap points={points} highlightedId={highlightedId} onHover={onHighlight} onPick={onPick} />
}
