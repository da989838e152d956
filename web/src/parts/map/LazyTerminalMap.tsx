import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { lazy, useEffect, useMemo, useState } from 'react'
import { useTenantConfig } from '../../brand/tenant.ts'
import { getDataSaver, useDataSaver } from '../../data-saver.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { LazyBoundary } from '../LazyBoundary.tsx'
import type { MapDisplay } from './map-display.ts'
import type { MapPoint } from './markers.ts'
import type { Place } from './mercator.ts'
import { listProblems, readPoints } from './points.ts'

const load = () => importWithRetry(() => import('./TerminalMap.tsx')).then((it) => ({ default: it.TerminalMap }))
const TerminalMap = lazy(load)

/** Wide screens always show the map, so its code is preloaded once the list has loaded. */
export const preloadMap = () => {
  if (!getDataSaver().isOn && matchMedia('(min-width: 768px)').matches) load().catch(() => undefined)
}

const defaultCenter = [64.2008, -149.4937] as const
const defaultZoom = 4

export const MapSkeleton = () => <Skeleton height="100%" radius={12} />

const MapOnRequest = ({ onRequest }: { onRequest: () => void }) => (
  <Stack className="panel" h="100%" align="center" justify="center" gap="xs" p="md" ta="center">
    <Text c="var(--quiet)">Data saver is on, so no map is loaded.</Text>
    <Button variant="default" onClick={onRequest}>
      Show Map
    </Button>
  </Stack>
)

interface LazyTerminalMapProps {
  points: readonly MapPoint[]
  /** Indexes of the visible points, ascending; by default all are. */
  shown?: Uint32Array | undefined
  highlightedId: string | undefined
  /** The view is refitted when this changes. */
  fitKey?: string | undefined
  /** A fixed view instead of all points; see `formatMapPlace`. */
  place?: string | undefined
  /** Called after each move. */
  onMove?: ((place: string) => void) | undefined
  /** Past positions of the terminal, oldest first. */
  track?: readonly Place[] | undefined
  /** The outline of the area that is being selected. */
  area?: readonly Place[] | undefined
  display?: MapDisplay | undefined
  /** Lets the user pick a location. */
  onPlace?: ((place: Place) => void) | undefined
  /** The user has requested the map, which data saver would leave out. */
  isRequested?: boolean | undefined
  onHover: (id: string | undefined) => void
  onPick: (id: string) => void
}

/**
 * The map with the tenant's settings. Its code is loaded after the text of the page; with data saver only on
 * request.
 */
export function LazyTerminalMap({ isRequested, ...props }: LazyTerminalMapProps) {
  const isSaving = useDataSaver().isOn
  const [isWanted, setWanted] = useState(false)
  // A location can only be picked on a map.
  const isShown = !isSaving || isWanted || isRequested || props.onPlace
  return isShown ? <LoadedMap {...props} /> : <MapOnRequest onRequest={() => setWanted(true)} />
}

function LoadedMap({ points, shown, ...rest }: Omit<LazyTerminalMapProps, 'isRequested'>) {
  const { mapInitialCenter, initialZoomLevel, mapTiles } = useTenantConfig()
  const given = useMemo(() => readPoints(points), [points])
  const problems = useMemo(() => listProblems(given, shown).join('\n'), [given, shown])
  useEffect(() => {
    if (problems) console.warn(problems)
  }, [problems])
  return (
    <LazyBoundary what="The map could not be loaded." fallback={<MapSkeleton />}>
      <TerminalMap
        {...rest}
        points={given.points}
        shown={shown}
        center={mapInitialCenter ?? defaultCenter}
        zoom={initialZoomLevel ?? defaultZoom}
        tiles={mapTiles}
      />
    </LazyBoundary>
  )
}
