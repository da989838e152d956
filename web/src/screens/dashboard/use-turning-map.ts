import { useEffect, useMemo, useState } from 'react'
import type { FleetEvent } from '#contract/events.ts'
import type { TerminalListItem } from '#contract/terminals.ts'

/** How long the map stays on a changed terminal. */
const SHOWN_MS = 20_000

/** The newest status change since the page was opened. */
const findChange = (events: readonly FleetEvent[]) => events.find(({ kind }) => kind === 'status')

/** The terminal that the map zooms in on: the one that changed last, for a while. */
export function useTurningMap(events: readonly FleetEvent[] | undefined, terminals: readonly TerminalListItem[]) {
  const [seenId, setSeenId] = useState<string | null>()
  const [shown, setShown] = useState<FleetEvent>()
  const change = events && findChange(events)
  const changeId = events && (change?.id ?? null)
  if (changeId !== undefined && changeId !== seenId) {
    setSeenId(changeId)
    if (seenId !== undefined) setShown(change)
  }
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return useMemo(() => shown && terminals.find(({ nickname }) => nickname === shown.terminal), [shown, terminals])
}
