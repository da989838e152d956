import { useMediaQuery } from '@mantine/hooks'
import { lazy } from 'react'
import type { TerminalListItem } from '#contract/terminals.ts'
import type { Freshness } from '../../parts/fleet/freshness.ts'
import { LiveBadge } from '../../parts/fleet/LiveBadge.tsx'
import { LazyBoundary } from '../../parts/LazyBoundary.tsx'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { ActivityButtons } from './ActivityButtons.tsx'
import classes from './DashboardHead.module.css'

const FleetHead = lazy(() => importWithRetry(() => import('./FleetHead.tsx')).then((it) => ({ default: it.FleetHead })))

/** At 1280 px, the toolbar has no room for both the live state and the events in one line, but the head has. */
export const useIsHeadWide = () => useMediaQuery('(min-width: 1200px)', undefined, { getInitialValueInEffect: false })

interface DashboardHeadProps {
  terminals: readonly TerminalListItem[]
  halfHour: number | undefined
  freshness: Freshness
  /** Whether the live state and the events are shown here rather than in the toolbar. */
  hasBadge: boolean
  onRetry: () => void
  /** Moves terminals that need attention to the top of the list. */
  onAttention: () => void
}

/** The figures of the fleet's health, and on a wide screen the live state. */
export function DashboardHead({ terminals, halfHour, freshness, hasBadge, onRetry, onAttention }: DashboardHeadProps) {
  const isPast = freshness.state === 'past'
  return (
    <section className={classes.head} aria-label="Fleet health">
      {terminals.length > 0 && (
        <LazyBoundary what="The figures could not be loaded." fallback={null}>
          <FleetHead
            terminals={terminals}
            halfHour={halfHour}
            isPast={isPast}
            past={isPast ? freshness.past : undefined}
            onAttention={onAttention}
          />
        </LazyBoundary>
      )}
      {hasBadge && (
        <>
          <span className={classes.activity}>
            <ActivityButtons />
          </span>
          <LiveBadge freshness={freshness} onRetry={onRetry} />
        </>
      )}
    </section>
  )
}
