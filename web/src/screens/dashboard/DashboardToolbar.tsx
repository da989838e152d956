import { Button } from '@mantine/core'
import { lazy, Suspense, useMemo } from 'react'
import type { ListOrder } from '#contract/list-order.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { CsvButton } from '../../parts/csv/CsvButton.tsx'
import { saveCsv } from '../../parts/csv/save-csv.ts'
import { EventsButton } from '../../parts/events/EventsButton.tsx'
import { FleetToolbar } from '../../parts/fleet/FleetToolbar.tsx'
import { countAlerts, countByStatus, type FleetFilter } from '../../parts/fleet/fleet-filter.ts'
import type { Freshness } from '../../parts/fleet/freshness.ts'
import { listColumns } from '../../parts/fleet/list-columns.ts'
import { ViewSwitch } from '../../parts/fleet/ViewSwitch.tsx'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { useIsNarrow } from '../../ui/use-is-narrow.ts'
import { ActivityButtons } from './ActivityButtons.tsx'
import type { Pane } from './DashboardPanes.tsx'
import classes from './DashboardToolbar.module.css'

const OrderSelect = lazy(() =>
  importWithRetry(() => import('./OrderSelect.tsx')).then((it) => ({ default: it.OrderSelect })),
)
const ViewsMenu = lazy(() =>
  importWithRetry(() => import('../../parts/views/ViewsMenu.tsx')).then((it) => ({ default: it.ViewsMenu })),
)

interface DashboardToolbarProps {
  filter: FleetFilter
  onFilter: (change: Partial<FleetFilter>) => void
  terminals: readonly TerminalListItem[] | undefined
  matching: readonly TerminalListItem[]
  freshness: Freshness
  onRetry: () => void
  /** Whether the live state and the events are shown here rather than in the head. */
  hasBadge: boolean
  order: ListOrder
  onOrder: (order: ListOrder) => void
  getMapPlace: () => string | undefined
  pane: Pane
  onPane: (pane: Pane) => void
}

export function DashboardToolbar(props: DashboardToolbarProps) {
  const { filter, terminals, matching, hasBadge, order, onOrder, getMapPlace, pane, onPane, ...rest } = props
  const { status, alert, q } = filter
  const statuses = useMemo(() => terminals && countByStatus(terminals), [terminals])
  const alerts = useMemo(() => terminals && countAlerts(terminals), [terminals])
  const isNarrow = useIsNarrow()
  const otherPane = pane === 'list' ? 'map' : 'list'
  return (
    <FleetToolbar
      filter={filter}
      statuses={statuses}
      alerts={alerts}
      hasBadge={hasBadge}
      viewSwitch={
        <>
          <span className={classes.control}>
            <Suspense>
              <OrderSelect order={order} onOrder={onOrder} />
            </Suspense>
          </span>
          <span className={classes.control}>
            <Suspense>
              <ViewsMenu
                page="dashboard"
                search={filter}
                getShown={() => ({ status, alert, q, order, map: getMapPlace() })}
              />
            </Suspense>
          </span>
          {isNarrow && (
            <>
              <EventsButton isLive isIcon />
              {/* Only the other pane, because there is no room for the current one. */}
              <Button variant="default" h="var(--touch)" px={12} onClick={() => onPane(otherPane)}>
                {otherPane === 'map' ? 'Map' : 'List'}
              </Button>
            </>
          )}
        </>
      }
      {...rest}
    >
      <ViewSwitch shown="list" />
      {hasBadge && <ActivityButtons />}
      <CsvButton rows={matching} onSave={(rows) => saveCsv(listColumns, rows, 'terminals.csv')} />
    </FleetToolbar>
  )
}
