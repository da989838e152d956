import { useMemo, useState } from 'react'
import { formatAddress } from '#contract/format/places.ts'
import type { TerminalDetail } from '#contract/terminal-detail.ts'
import { LazyTerminalMap } from '../../parts/map/LazyTerminalMap.tsx'
import { shownStatus } from '../../parts/status.ts'
import { formatDevice } from './devices.ts'

/** The locations of the line's terminals, or of the line if it has none yet. Its code is loaded after the page. */
export function LineMap({ detail: { terminal_data, service_line_data } }: { detail: TerminalDetail }) {
  const [highlightedId, setHighlightedId] = useState<string>()
  const at = service_line_data.coordinates?.join()
  const signature = terminal_data
    .map(({ status, activeAlerts }) => shownStatus({ status, alerts: activeAlerts }))
    .join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is fitted again only when a place or a status has changed
  const points = useMemo(() => {
    const { coordinates: place, track, serviceLine, nickname } = service_line_data
    const address = formatAddress({ ...service_line_data, isMobile: track !== undefined })
    if (terminal_data.length === 0)
      return [{ id: serviceLine, name: nickname, status: 'no data' as const, place, address }]
    return terminal_data.map((terminal) => ({
      id: terminal.deviceid,
      name: formatDevice(terminal),
      status: shownStatus({ status: terminal.status, alerts: terminal.activeAlerts }),
      place,
      address,
    }))
  }, [at, signature])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same positions do not fit the map again
  const track = useMemo(() => service_line_data.track, [service_line_data.track?.join()])
  return (
    <LazyTerminalMap
      points={points}
      track={track}
      highlightedId={highlightedId}
      onHover={setHighlightedId}
      onPick={setHighlightedId}
    />
  )
}
