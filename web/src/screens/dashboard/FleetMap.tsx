import { Skeleton, useComputedColorScheme } from '@mantine/core'
import { lazy, Suspense, useMemo } from 'react'
import type { TerminalListItem } from '#contract/terminals.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { nameOf } from '../../parts/fleet/fleet.ts'
import { shownStatus } from '../../parts/status.ts'

const TerminalMap = lazy(() => import('../../parts/map/TerminalMap.tsx').then((it) => ({ default: it.TerminalMap })))

const defaultCenter = [64.2008, -149.4937] as const
const defaultZoom = 4

interface FleetMapProps {
  terminals: readonly TerminalListItem[]
  highlightedId: string | undefined
  onHighlight: (id: string | undefined) => void
  onPick: (id: string) => void
}

/** The list comes first; the code of the map follows when it is there. */
export function FleetMap({ terminals, highlightedId, onHighlight, onPick }: FleetMapProps) {
  const { mapInitialCenter, initialZoomLevel, mapTiles } = useTenantConfig()
  const scheme = useComputedColorScheme('light')
  const points = useMemo(
    () =>
      terminals.map((terminal) => ({
        id: terminal.id,
        name: nameOf(terminal),
        status: shownStatus(terminal),
        place: terminal.coordinates,
      })),
    [terminals],
  )
  const url = mapTiles?.[scheme]
  return (
    <Suspense fallback={<Skeleton height="100%" radius={12} />}>
      <TerminalMap
        points={points}
        highlightedId={highlightedId}
        onHover={onHighlight}
        onPick={onPick}
        center={mapInitialCenter ?? defaultCenter}
        zoom={initialZoomLevel ?? defaultZoom}
        scheme={scheme}
        tiles={url ? { url, attribution: mapTiles?.attribution ?? '© OpenStreetMap contributors' } : undefined}
      />
    </Suspense>
  )
}
