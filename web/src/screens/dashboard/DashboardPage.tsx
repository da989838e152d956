import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { ListOrder } from '#contract/list-order.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { CsvButton } from '../../parts/csv/CsvButton.tsx'
import { saveCsv } from '../../parts/csv/save-csv.ts'
import { EventsButton } from '../../parts/events/EventsButton.tsx'
import { EmptyFleet, NoMatch } from '../../parts/fleet/EmptyFleet.tsx'
import { FleetToolbar } from '../../parts/fleet/FleetToolbar.tsx'
import { countAlerts, countByStatus, filterFleet, noFilter } from '../../parts/fleet/fleet-filter.ts'
import { isStale } from '../../parts/fleet/freshness.ts'
import { LiveBadge } from '../../parts/fleet/LiveBadge.tsx'
import { listColumns, listSearch } from '../../parts/fleet/list-columns.ts'
import { orderFleet } from '../../parts/fleet/list-order.ts'
import { useLiveFleet } from '../../parts/fleet/use-live-fleet.ts'
import { useSearchTerms } from '../../parts/fleet/use-search-terms.ts'
import { ViewSwitch } from '../../parts/fleet/ViewSwitch.tsx'
import { FleetIncidents } from '../../parts/incidents/IncidentBanner.tsx'
import { LazyBoundary } from '../../parts/LazyBoundary.tsx'
import { MapSkeleton } from '../../parts/map/LazyTerminalMap.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { useStableRows } from '../../parts/table/use-stable-rows.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { Waiting } from '../../ui/Waiting.tsx'
import classes from './DashboardPage.module.css'
import { FleetMap } from './FleetMap.tsx'
import { ListSkeleton, TerminalList } from './TerminalList.tsx'
import { useListOrder } from './use-list-order.ts'

const FleetHead = lazy(() => importWithRetry(() => import('./FleetHead.tsx')).then((it) => ({ default: it.FleetHead })))

const OrderSelect = lazy(() =>
  importWithRetry(() => import('./OrderSelect.tsx')).then((it) => ({ default: it.OrderSelect })),
)

const ViewsMenu = lazy(() =>
  importWithRetry(() => import('../../parts/views/ViewsMenu.tsx')).then((it) => ({ default: it.ViewsMenu })),
)
const Wall = lazy(() => importWithRetry(() => import('./Wall.tsx')).then((it) => ({ default: it.Wall })))

const route = getRouteApi('/dashboard')
const noTerminals: never[] = []
const getId = ({ id }: TerminalListItem) => id

export function DashboardPage() {
  const { view } = route.useSearch()
  if (view !== 'wall') return <Dashboard />
  return (
    <LazyBoundary what="The wall could not be loaded." fallback={<Waiting text="Loading the wall..." />}>
      <Wall />
    </LazyBoundary>
  )
}

function Dashboard() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const { fleet, freshness, retry } = useLiveFleet()
  const [highlightedId, setHighlightedId] = useState<string>()
  const [pickedId, setPickedId] = useState<string>()
  const [shown, setShown] = useState<'list' | 'map'>('list')
  const other = shown === 'list' ? 'map' : 'list'
  const mapPlace = useRef<string>(undefined)
  const narrow = useMediaQuery('(max-width: 767px)', undefined, { getInitialValueInEffect: false })

  const wide = useMediaQuery('(min-width: 1200px)', undefined, { getInitialValueInEffect: false })

  const terminals = fleet.data?.terminals ?? noTerminals
  // At 1280 px, the toolbar has no room for both the live state and the events in one line.
  const hasBadgeInHead = wide === true && (fleet.isPending || terminals.length > 0)
  const statuses = useMemo(() => countByStatus(terminals), [terminals])
  const alerts = useMemo(() => countAlerts(terminals), [terminals])
  // Deferred, so that typing stays fast in a large fleet.
  const { status, alert, q } = useDeferredValue(filter)
  const search = useSearchTerms(q)
  const matching = useMemo(
    () => filterFleet(terminals, { status, alert, ...search }, listSearch),
    [terminals, status, alert, search],
  )
  const [savedOrder, saveOrder] = useListOrder()
  const order = filter.order ?? savedOrder
  const { halfHour } = fleet.data ?? {}
  // The fleet is already sorted by name, so the longest list needs no sorting.
  const ordered = useMemo(
    () => (order === 'name' ? undefined : orderFleet(matching, order, halfHour)),
    [matching, order, halfHour],
  )
  const { rows, over } = useStableRows(ordered, getId, JSON.stringify([status, alert, q, order]))
  const choose = (next: ListOrder) => {
    show({ order: next })
    saveOrder(next)
  }
  const show = (change: Partial<typeof filter>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })

  const failure = fleet.isError && <QueryFailure what="The terminals could not be loaded." query={fleet} />

  const happened = (
    <>
      <Button variant="default" component={Link} to="/incidents">
        Incidents
      </Button>
      {!narrow && <EventsButton isLive />}
    </>
  )

  return (
    <div
      className={classes.page}
      data-stale={isStale(freshness) || undefined}
      data-past={freshness.state === 'past' || undefined}
    >
      <h1 className="visually-hidden">Dashboard</h1>
      {(fleet.isPending || terminals.length > 0) && (
        <section className={classes.head} aria-label="How the fleet is">
          {terminals.length > 0 && (
            <LazyBoundary what="The figures could not be loaded." fallback={null}>
              <FleetHead
                terminals={terminals}
                halfHour={halfHour}
                isPast={freshness.state === 'past'}
                past={freshness.state === 'past' ? freshness.past : undefined}
                onAttention={() => choose('worst')}
              />
            </LazyBoundary>
          )}
          {hasBadgeInHead && (
            <>
              <span className={classes.happened}>{happened}</span>
              <LiveBadge freshness={freshness} onRetry={retry} />
            </>
          )}
        </section>
      )}
      <FleetToolbar
        filter={filter}
        onFilter={show}
        statuses={fleet.data && statuses}
        alerts={fleet.data && alerts}
        freshness={freshness}
        onRetry={retry}
        hasBadge={!hasBadgeInHead}
        viewSwitch={
          <>
            <span className={classes.order}>
              <Suspense>
                <OrderSelect order={order} onOrder={choose} />
              </Suspense>
            </span>
            <span className={classes.order}>
              <Suspense>
                <ViewsMenu
                  page="dashboard"
                  search={filter}
                  getShown={() => ({ status, alert, q, order, map: mapPlace.current ?? filter.map })}
                />
              </Suspense>
            </span>
            {narrow && (
              <>
                <EventsButton isLive isIcon />
                {/* Only the other view, because there is no room for the current one. */}
                <Button variant="default" h="var(--touch)" px={12} onClick={() => setShown(other)}>
                  {other === 'map' ? 'Map' : 'List'}
                </Button>
              </>
            )}
          </>
        }
      >
        <ViewSwitch shown="list" />
        {!hasBadgeInHead && happened}
        <CsvButton rows={matching} onSave={download} />
      </FleetToolbar>
      {fleet.data?.asOfMs !== undefined && failure}
      <FleetIncidents />
      <div className={classes.panes}>
        {(!narrow || shown === 'list') && (
          <div className={classes.list} {...over}>
            {fleet.isPending && <ListSkeleton />}
            {!fleet.data && failure}
            {fleet.data && (
              <TerminalList
                terminals={order === 'name' ? matching : (rows ?? matching)}
                changedAtMs={fleet.data.changedAtMs}
                halfHour={fleet.data.halfHour}
                empty={terminals.length === 0 ? <EmptyFleet /> : <NoMatch onClear={() => show(noFilter)} />}
                highlightedId={highlightedId}
                pickedId={pickedId}
                onHighlight={setHighlightedId}
              />
            )}
          </div>
        )}
        {(!narrow || shown === 'map') && (
          <div className={classes.map}>
            {/* After the list, because on a slow link the map would compete with it for bandwidth. */}
            {fleet.isPending ? (
              <MapSkeleton />
            ) : (
              <FleetMap
                terminals={terminals}
                matching={matching}
                highlightedId={highlightedId}
                filter={{ status, alert, q }}
                isRequested={narrow}
                place={filter.map}
                onMove={(place) => {
                  mapPlace.current = place
                  if (filter.map !== undefined && filter.map !== place) show({ map: place })
                }}
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
    </div>
  )
}

const download = (terminals: readonly TerminalListItem[]) => saveCsv(listColumns, terminals, 'terminals.csv')
