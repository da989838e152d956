import { useMemo, useState } from 'react'
import type { TerminalListItem } from '#contract/terminals.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import { LazyTerminalMap } from '../../parts/map/LazyTerminalMap.tsx'
import { shownStatus } from '../../parts/status.ts'
import classes from './AreaMap.module.css'
import { listEdge } from './area.ts'
import type { WindowFields } from './window-form.ts'

interface AreaMapProps {
  fields: Pick<WindowFields, 'latitude' | 'longitude' | 'radiusKm'>
  terminals: readonly TerminalListItem[] | undefined
  onChoose: (changed: Pick<WindowFields, 'latitude' | 'longitude'>) => void
}

/** Rounded to about ten meters. */
const roundDegrees = (degrees: number) => String(Math.round(degrees * 10_000) / 10_000)

/** The area on a map with the stationary terminals. A click on the map or on a terminal sets its center. */
export function AreaMap({ fields: { latitude, longitude, radiusKm }, terminals, onChoose }: AreaMapProps) {
  const [highlightedId, setHighlightedId] = useState<string>()
  const points = useMemo(
    () =>
      (terminals ?? [])
        .filter(({ isMobile }) => !isMobile)
        .map((terminal) => ({
          id: terminal.id,
          name: getDisplayName(terminal),
          status: shownStatus(terminal),
          place: terminal.coordinates,
        })),
    [terminals],
  )
  const edge = useMemo(() => listEdge(latitude, longitude, radiusKm), [latitude, longitude, radiusKm])
  const choose = (place: readonly [number, number]) =>
    onChoose({ latitude: roundDegrees(place[0]), longitude: roundDegrees(place[1]) })
  return (
    <div className={classes.map}>
      <LazyTerminalMap
        points={points}
        highlightedId={highlightedId}
        area={edge}
        onHover={setHighlightedId}
        onPick={(id) => {
          const place = points.find((point) => point.id === id)?.place
          if (place) choose(place)
        }}
        onPlace={choose}
      />
    </div>
  )
}
