import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type CSSProperties, lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import type { FleetEvent } from '#contract/events.ts'
import { formatCount } from '#contract/format/numbers.ts'
import { formatClock } from '#contract/format/times.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { NavbarLogo } from '../../brand/NavbarLogo.tsx'
import { EventShape } from '../../parts/events/EventRow.tsx'
import { useEvents } from '../../parts/events/use-events.ts'
import { countByStatus } from '../../parts/fleet/fleet-filter.ts'
import { isStale } from '../../parts/fleet/freshness.ts'
import { LiveBadge } from '../../parts/fleet/LiveBadge.tsx'
import { needsAttention } from '../../parts/fleet/list-order.ts'
import { useLiveFleet } from '../../parts/fleet/use-live-fleet.ts'
import type { MapScheme } from '../../parts/map/base-layer.ts'
import { StatusShape } from '../../parts/StatusMark.tsx'
import { type ShownStatus, statusLabels } from '../../parts/status.ts'
import { useAt } from '../../past-search.ts'
import { useSession } from '../../session.ts'
import { isWallToken, tokens } from '../../tokens.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { LargeNumber } from '../../ui/LargeNumber.tsx'
import { useNow } from '../../ui/use-now.ts'
import { FleetMap } from './FleetMap.tsx'
import { formatShare, Ring, Trend, useMonthShare } from './fleet-figures.tsx'
import { useTurningMap } from './use-turning-map.ts'
import { useScreenScheme, useWakeLock } from './use-wall-screen.ts'
import classes from './Wall.module.css'

const KeepSignedIn = lazy(() =>
  importWithRetry(() => import('./KeepSignedIn.tsx')).then((it) => ({ default: it.KeepSignedIn })),
)

const route = getRouteApi('/dashboard')
const noTerminals: never[] = []
const noFilter = {}
const down: readonly ShownStatus[] = ['offline', 'disabled', 'no data']
const ignore = () => {}

/** The fleet on a large unattended screen: readable from across the room, running for weeks. */
export function Wall() {
  const navigate = route.useNavigate()
  const at = useAt()
  const { fleet, freshness, retry } = useLiveFleet()
  const { events } = useEvents({ at })
  const [scheme, setScheme] = useState<MapScheme>('dark')
  useScreenScheme(scheme)
  useWakeLock()
  const terminals = useDeferredValue(fleet.data?.terminals ?? noTerminals)
  const changed = useTurningMap(at === undefined ? events : undefined, terminals)
  return (
    <section className={classes.wall} aria-label="Wall" data-stale={isStale(freshness) || undefined}>
      <h1 className="visually-hidden">Wall</h1>
      <div className={classes.side}>
        <div className={classes.head}>
          <span className={classes.logo}>
            <NavbarLogo />
          </span>
          <Clock />
        </div>
        <Figures
          terminals={terminals}
          isKnown={terminals !== noTerminals}
          halfHour={fleet.data?.halfHour}
          isPast={at !== undefined}
        />
        <div className={classes.foot}>
          <LiveBadge freshness={freshness} onRetry={retry} />
          <div className={classes.controls}>
            <Suspense>
              <KeepSignedIn />
            </Suspense>
            <Button variant="subtle" size="compact-md" onClick={() => setScheme(scheme === 'dark' ? 'light' : 'dark')}>
              {scheme === 'dark' ? 'Light' : 'Dark'}
            </Button>
            {!isWallToken(tokens.access) && (
              <Button
                variant="subtle"
                size="compact-md"
                onClick={() => void navigate({ search: ({ view: _, ...others }) => others })}
              >
                Leave the wall
              </Button>
            )}
          </div>
        </div>
      </div>
      <div className={classes.map}>
        <FleetMap
          terminals={terminals}
          matching={terminals}
          highlightedId={changed?.id}
          filter={noFilter}
          isRequested
          place={undefined}
          onMove={ignore}
          display={{ scheme, focus: changed?.coordinates ?? undefined }}
          onHighlight={ignore}
          onPick={ignore}
        />
      </div>
      <Ticker events={events} />
    </section>
  )
}

function Clock() {
  const now = useNow(1_000)
  return <span className={classes.clock}>{formatClock(new Date(now))}</span>
}

/** The font size at which the longest number fits its column. */
const fitNumbers = (...texts: string[]) =>
  ({ '--characters': Math.max(...texts.map(({ length }) => length)) }) as CSSProperties

interface FiguresProps {
  terminals: readonly TerminalListItem[]
  /** Before the first response, no count is known. */
  isKnown: boolean
  halfHour: number | undefined
  isPast: boolean
}

function Figures({ terminals, isKnown, halfHour, isPast }: FiguresProps) {
  const formatKnown = (count: number) => (isKnown ? formatCount(count) : '-')
  const counts = useMemo(() => countByStatus(terminals), [terminals])
  const attention = useMemo(() => terminals.filter(needsAttention).length, [terminals])
  const session = useSession()
  const month = useMonthShare({ enabled: !isPast && session.state === 'signed in' })
  const total = terminals.length
  const share = total === 0 ? 0 : counts.online / total
  return (
    <div className={classes.figures}>
      <div className={classes.online}>
        <Ring share={share} />
        <span>
          <LargeNumber className={classes.huge}>{total === 0 ? '-' : formatShare(share, 1)}</LargeNumber>
          <span className={classes.label}>
            {isKnown ? `online, ${formatCount(counts.online)} of ${formatCount(total)}` : 'online'}
          </span>
        </span>
      </div>
      <ul className={classes.counts} style={fitNumbers(...down.map((status) => formatKnown(counts[status])))}>
        {down.map((status) => (
          <li key={status}>
            <LargeNumber className={classes.large}>{formatKnown(counts[status])}</LargeNumber>
            <span className={classes.label}>
              <StatusShape status={status} /> {statusLabels[status]}
            </span>
          </li>
        ))}
      </ul>
      <ul className={classes.counts} style={fitNumbers(formatKnown(attention))}>
        <li>
          <LargeNumber className={classes.large}>{formatKnown(attention)}</LargeNumber>
          <span className={classes.label}>{attention === 1 ? 'needs attention' : 'need attention'}</span>
        </li>
        {!isPast && (
          <li className={classes.wide} title={month.reason}>
            <LargeNumber className={classes.large}>{month.text}</LargeNumber>
            <span className={classes.label}>available this month</span>
          </li>
        )}
      </ul>
      {halfHour !== undefined && total > 0 && (
        <div className={classes.trend}>
          <Trend terminals={terminals} halfHour={halfHour} />
        </div>
      )}
    </div>
  )
}

const SHOWN_EVENTS = 4

/** The newest events, newest first. */
const Ticker = ({ events = [] }: { events?: readonly FleetEvent[] | undefined }) => (
  <ol className={classes.ticker} aria-label="Newest events">
    {events.slice(0, SHOWN_EVENTS).map((event) => (
      <li key={event.id} data-trouble={event.isTrouble || undefined}>
        <span className={classes.eventHead}>
          <EventShape event={event} />
          <time dateTime={event.at.toISOString()}>{formatClock(event.at)}</time>
        </span>
        <span className={classes.eventName}>{event.name}</span>
        <span className={classes.eventText}>{event.text}</span>
      </li>
    ))}
    {events.length === 0 && <li className={classes.eventText}>What happens appears here.</li>}
  </ol>
)
