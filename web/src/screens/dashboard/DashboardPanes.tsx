import { type ReactNode, useState } from 'react'
import type { TerminalListItem } from '#contract/terminals.ts'
import { EmptyFleet, NoMatch } from '../../parts/fleet/EmptyFleet.tsx'
import type { Fleet } from '../../parts/fleet/fleet.ts'
import { type FleetFilter, noFilter } from '../../parts/fleet/fleet-filter.ts'
import { MapSkeleton } from '../../parts/map/LazyTerminalMap.tsx'
import { useIsNarrow } from '../../ui/use-is-narrow.ts'
import classes from './DashboardPanes.module.css'
import { FleetMap } from './FleetMap.tsx'
import { ListSkeleton, TerminalList } from './TerminalList.tsx'
import type { useListedTerminals } from './use-listed-terminals.ts'

export type Pane = 'list' | 'map'

interface DashboardPanesProps {
  fleet: Fleet | undefined
  terminals: readonly TerminalListItem[]
  isPending: boolean
  /** Shown instead of the list if there is none. */
  failure: ReactNode
  listed: ReturnType<typeof useListedTerminals>
  isPast: boolean
  /** The one that is shown on a narrow screen. */
  pane: Pane
  onFilter: (change: Partial<FleetFilter>) => void
  mapPlace: string | undefined
  onMapMove: (place: string) => void
}

/** The list beside the map; pointing at a terminal in one highlights it in the other. */
export function DashboardPanes(props: DashboardPanesProps) {
  const { fleet, terminals, isPending, failure, listed, isPast, pane, onFilter, mapPlace, onMapMove } = props
  const [highlightedId, setHighlightedId] = useState<string>()
  const [pickedId, setPickedId] = useState<string>()
  const isNarrow = useIsNarrow()
  return (
    <div className={classes.panes} data-past={isPast || undefined}>
      {(!isNarrow || pane === 'list') && (
        <div className={classes.list} {...listed.over}>
          {isPending && <ListSkeleton />}
          {!fleet && failure}
          {fleet && (
            <TerminalList
              terminals={listed.rows}
              changedAtMs={fleet.changedAtMs}
              halfHour={fleet.halfHour}
              empty={terminals.length === 0 ? <EmptyFleet /> : <NoMatch onClear={() => onFilter(noFilter)} />}
              highlightedId={highlightedId}
              pickedId={pickedId}
              onHighlight={setHighlightedId}
            />
          )}
        </div>
      )}
      {(!isNarrow || pane === 'map') && (
        <div className={classes.map}>
          {/* After the list, because on a slow link the map would compete with it for bandwidth. */}
          {isPending ? (
            <MapSkeleton />
          ) : (
            <FleetMap
              terminals={terminals}
              matching={listed.matching}
              highlightedId={highlightedId}
              filter={listed.filter}
              isRequested={isNarrow}
              place={mapPlace}
              onMove={onMapMove}
              onHighlight={setHighlightedId}
              onPick={(id) => {
                setPickedId(id)
                setHighlightedId(id)
              }}
            />
          )}
        </div>
      )}
    </div>
  )
}
