import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { lazy, useEffect, useMemo, useState } from 'react'
import { useTenantConfig } from '../../brand/tenant.ts'
import { getDataSaver, useDataSaver } from '../../data-saver.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { LazyBoundary } from '../LazyBoundary.tsx'
import { listProblems, readPoints } from './points.ts'
import type { TerminalMapProps } from './TerminalMap.tsx'

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

interface LazyTerminalMapProps extends Omit<TerminalMapProps, 'center' | 'zoom' | 'tiles'> {
  /** The user has requested the map, which data saver would leave out. */
  isRequested?: boolean | undefined
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
