import { getRouteApi } from '@tanstack/react-router'
import { lazy, useRef, useState } from 'react'
import type { ListOrder } from '#contract/list-order.ts'
import { isStale } from '../../parts/fleet/freshness.ts'
import { useLiveFleet } from '../../parts/fleet/use-live-fleet.ts'
import { FleetIncidents } from '../../parts/incidents/IncidentBanner.tsx'
import { LazyBoundary } from '../../parts/LazyBoundary.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { Waiting } from '../../ui/Waiting.tsx'
import { DashboardHead, useIsHeadWide } from './DashboardHead.tsx'
import classes from './DashboardPage.module.css'
import { DashboardPanes, type Pane } from './DashboardPanes.tsx'
import { DashboardToolbar } from './DashboardToolbar.tsx'
import { useListOrder } from './use-list-order.ts'
import { useListedTerminals } from './use-listed-terminals.ts'

const Wall = lazy(() => importWithRetry(() => import('./Wall.tsx')).then((it) => ({ default: it.Wall })))

const route = getRouteApi('/dashboard')
const noTerminals: never[] = []

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
  const [savedOrder, saveOrder] = useListOrder()
  const order = filter.order ?? savedOrder
  const [pane, setPane] = useState<Pane>('list')
  // Where the user has moved the map, which only a saved view needs to know.
  const mapPlace = useRef<string>(undefined)
  const terminals = fleet.data?.terminals ?? noTerminals
  const listed = useListedTerminals(terminals, filter, order, fleet.data?.halfHour)
  const hasHead = fleet.isPending || terminals.length > 0
  const hasBadgeInHead = useIsHeadWide() && hasHead

  const show = (change: Partial<typeof filter>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  const chooseOrder = (next: ListOrder) => {
    show({ order: next })
    saveOrder(next)
  }
  const failure = fleet.isError && <QueryFailure what="The terminals could not be loaded." query={fleet} />

  return (
    <div className={classes.page} data-stale={isStale(freshness) || undefined}>
      <h1 className="visually-hidden">Dashboard</h1>
      {hasHead && (
        <DashboardHead
          terminals={terminals}
          halfHour={fleet.data?.halfHour}
          freshness={freshness}
          hasBadge={hasBadgeInHead}
          onRetry={retry}
          onAttention={() => chooseOrder('worst')}
        />
      )}
      <DashboardToolbar
        filter={filter}
        onFilter={show}
        terminals={fleet.data?.terminals}
        matching={listed.matching}
        freshness={freshness}
        onRetry={retry}
        hasBadge={!hasBadgeInHead}
        order={order}
        onOrder={chooseOrder}
        getMapPlace={() => mapPlace.current ?? filter.map}
        pane={pane}
        onPane={setPane}
      />
      {fleet.data?.asOfMs !== undefined && failure}
      <FleetIncidents />
      <DashboardPanes
        fleet={fleet.data}
        terminals={terminals}
        isPending={fleet.isPending}
        failure={failure}
        listed={listed}
        isPast={freshness.state === 'past'}
        pane={pane}
        onFilter={show}
        mapPlace={filter.map}
        onMapMove={(place) => {
          mapPlace.current = place
          if (filter.map !== undefined && filter.map !== place) show({ map: place })
        }}
      />
    </div>
  )
}
