import { Anchor, Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '#contract/errors.ts'
import type { TerminalDetail } from '#contract/terminal-detail.ts'
import { useBrandTitle } from '../../brand/use-brand-title.ts'
import { useDataSaver } from '../../data-saver.ts'
import { EventsButton } from '../../parts/events/EventsButton.tsx'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import { LiveBadge } from '../../parts/fleet/LiveBadge.tsx'
import { usePageFreshness } from '../../parts/fleet/page-freshness.ts'
import { TerminalIncidents } from '../../parts/incidents/IncidentBanner.tsx'
import { PastNotes } from '../../parts/past/PastNotes.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { ShareButton } from '../../parts/share/ShareButton.tsx'
import { useAt } from '../../past-search.ts'
import { MessageDialog } from '../../ui/dialogs.tsx'
import { DataUsage } from './DataUsage.tsx'
import { Devices } from './Devices.tsx'
import { detailQuery } from './detail.ts'
import { Subscription } from './Subscription.tsx'
import { TerminalHead } from './TerminalHead.tsx'
import classes from './TerminalPage.module.css'
import { defaultPeriodMin } from './terminal-search.ts'

const route = getRouteApi('/terminal/$kitnumber')

const dashboard: string = '/dashboard'
const table: string = '/terminaltable'

export function TerminalPage() {
  const { kitnumber } = route.useParams()
  // The key resets the page, so that no state carries over to the next terminal.
  return <Terminal key={kitnumber} kitnumber={kitnumber} />
}

/** A terminal that is online reports all the time, unless its data is late. */
const findNewestReport = ({ terminal_data, past }: TerminalDetail) =>
  past
    ? undefined
    : terminal_data
        .filter(({ status }) => status === 'online')
        .map(({ update_from_telemetry }) => update_from_telemetry?.getTime() ?? 0)
        .toSorted((one, other) => other - one)[0]

function Terminal({ kitnumber }: { kitnumber: string }) {
  const { period = defaultPeriodMin } = route.useSearch()
  const query = useQuery(detailQuery(kitnumber, period, useAt(), useDataSaver().isOn))
  const [known, setKnown] = useState<TerminalDetail>()
  const [isUpdating, setUpdating] = useState(false)
  if (query.data && query.data !== known) setKnown(query.data)
  // While another period is loading, the rest of the page stays.
  const detail = query.data ?? known
  useBrandTitle(detail ? getDisplayName(detail.service_line_data) : 'Terminal')
  const reload = async () => {
    setUpdating(true)
    await query.refetch()
    setUpdating(false)
  }
  const freshness = usePageFreshness({
    cachedAtMs: query.data?.asOfMs,
    loadedAtMs: query.dataUpdatedAt,
    newestAtMs: detail && findNewestReport(detail),
  })
  if (isForbidden(query.error)) return <Forbidden />
  return (
    <div className={classes.page} data-stale={freshness !== undefined || undefined}>
      <nav aria-label="Terminals" className={classes.links}>
        <Anchor component={Link} to={table} size="sm">
          Terminal Table
        </Anchor>
        <Anchor component={Link} to={dashboard} size="sm">
          Dashboard
        </Anchor>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/availability" search={{ terminal: kitnumber }} />}
        >
          Availability
        </Anchor>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/maintenance" search={{ terminal: kitnumber }} />}
        >
          Maintenance
        </Anchor>
        <span className={classes.actions}>
          <EventsButton terminal={kitnumber} size="compact-sm" />
          <ShareButton kind="terminal" subject={kitnumber} isCompact />
          {query.data && freshness && <LiveBadge freshness={freshness} onRetry={() => void reload()} />}
        </span>
      </nav>
      {!detail && query.isPending && <PageSkeleton />}
      {!detail && query.isError && (
        <QueryFailure isPage what="The terminal could not be loaded." query={{ error: query.error, refetch: reload }} />
      )}
      {detail && (
        <>
          <TerminalHead detail={detail} kitnumber={kitnumber} />
          {detail.past && (
            <div>
              <PastNotes past={detail.past} />
            </div>
          )}
          <TerminalIncidents line={kitnumber} />
          <Devices
            detail={detail}
            kitnumber={kitnumber}
            reload={{
              isLoading: query.isPending || isUpdating,
              error: query.data || query.isFetching ? null : query.error,
              refetch: () => void reload(),
            }}
          />
          <Subscription detail={detail} kitnumber={kitnumber} />
          <DataUsage detail={detail} kitnumber={kitnumber} />
        </>
      )}
    </div>
  )
}

const isForbidden = (error: Error | null) => error instanceof ApiError && error.status === 403

function Forbidden() {
  const navigate = route.useNavigate()
  return (
    <>
      <Title order={1} className="visually-hidden">
        Terminal
      </Title>
      <MessageDialog
        title="Terminal"
        text="You are not authorized to view this terminal."
        onClose={() => void navigate({ to: '/dashboard', search: ({ tenant }) => ({ tenant }) })}
      />
    </>
  )
}

const PageSkeleton = () => (
  <Stack gap={12} role="status" aria-label="Loading...">
    <Skeleton height={56} radius={12} />
    <Skeleton height={280} radius={12} />
    <Skeleton height={280} radius={12} />
    <Skeleton height={640} radius={12} />
  </Stack>
)
