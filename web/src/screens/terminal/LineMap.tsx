import { Skeleton, useComputedColorScheme } from '@mantine/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { TerminalDetail } from '#contract/terminal-detail.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { shownStatus } from '../../parts/status.ts'
import { deviceLabel } from './devices.ts'

const TerminalMap = lazy(() => import('../../parts/map/TerminalMap.tsx').then((it) => ({ default: it.TerminalMap })))

const defaultCenter = [64.2008, -149.4937] as const
const defaultZoom = 4

/** Where the terminals of the line are; its code comes when the page is there. */
export function LineMap({ detail: { terminal_data, service_line_data } }: { detail: TerminalDetail }) {
  const { mapInitialCenter, initialZoomLevel, mapTiles } = useTenantConfig()
  const scheme = useComputedColorScheme('light')
  const [highlightedId, setHighlightedId] = useState<string>()
  const at = service_line_data.coordinates?.join()
  const signature = terminal_data
    .map(({ status, activeAlerts }) => shownStatus({ status, alerts: activeAlerts }))
    .join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map fits anew only when a place or a status has changed
  const points = useMemo(
    () =>
      terminal_data.map((terminal) => ({
        id: terminal.deviceid,
        name: deviceLabel(terminal),
        status: shownStatus({ status: terminal.status, alerts: terminal.activeAlerts }),
        place: service_line_data.coordinates,
      })),
    [at, signature],
  )
  const url = mapTiles?.[scheme]
  return (
    <Suspense fallback={<Skeleton height="100%" radius={12} />}>
      <TerminalMap
        points={points}
        highlightedId={highlightedId}
        onHover={setHighlightedId}
        onPick={setHighlightedId}
        center={mapInitialCenter ?? defaultCenter}
        zoom={initialZoomLevel ?? defaultZoom}
        scheme={scheme}
        tiles={url ? { url, attribution: mapTiles?.attribution ?? '© OpenStreetMap contributors' } : undefined}
      />
    </Suspense>
  )
}
