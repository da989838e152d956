import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { getAlertTitle } from '#contract/alerts.ts'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount } from '#contract/format/numbers.ts'
import { formatExactTime } from '#contract/format/times.ts'
import { adviseIncident, explainIncident, formatConfidence, formatIncidentTitle } from '#contract/incident-words.ts'
import { canRegroup, type Incident, type IncidentDecision, type IncidentLoss } from '#contract/incidents.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { useBrandTitle } from '../../brand/use-brand-title.ts'
import { incidentQuery } from '../../parts/incidents/incident-queries.ts'
import { LazyTerminalMap } from '../../parts/map/LazyTerminalMap.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { ShareButton } from '../../parts/share/ShareButton.tsx'
import { toAt, useAt } from '../../past-search.ts'
import { useIsAdmin } from '../../session.ts'
import { ColumnTime, exactTimeWidthPx } from '../../ui/ColumnTime.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import { useNow } from '../../ui/use-now.ts'
import { IncidentActions } from './IncidentActions.tsx'
import { IncidentGrouping } from './IncidentGrouping.tsx'
import classes from './IncidentPage.module.css'
import { buildTimeline } from './timeline.ts'
import { hasEvidence, WarningEvidence } from './WarningEvidence.tsx'

const route = getRouteApi('/incidents/$id')
const MINUTE_MS = 60_000

export function IncidentPage() {
  const { id } = route.useParams()
  const at = useAt()
  const query = useQuery(incidentQuery(id, at))
  useBrandTitle(query.data ? formatIncidentTitle(query.data.incident) : 'Incident')
  if (query.data?.mergedInto) return <Navigate to="/incidents/$id" params={{ id: query.data.mergedInto }} replace />
  return (
    <div className={classes.page}>
      <nav aria-label="Incidents">
        <Anchor component={Link} to="/incidents" size="sm">
          Incidents
        </Anchor>
      </nav>
      {query.isPending && <PageSkeleton />}
      {query.isError && !query.data && <QueryFailure isPage what="The incident could not be loaded." query={query} />}
      {query.data && <Details {...query.data} at={at} />}
    </div>
  )
}

interface DetailsProps {
  incident: Incident
  /** The time in the past at which it is shown. */
  at: string | undefined
  terminal: { nickname: string; name: string } | null
  losses: IncidentLoss[]
  isCut: boolean
  decisions: IncidentDecision[]
}

function Details({ incident, at, terminal, losses, isCut, decisions }: DetailsProps) {
  const isAdmin = useIsAdmin()
  const nowMs = useNow(30_000)
  const { startedAt, endedAt, confidence, terminals, back, alerts, note } = incident
  const advice = adviseIncident(incident)
  const { units = 'metric' } = useTenantConfig()
  return (
    <>
      <Title order={1}>{formatIncidentTitle(incident)}</Title>
      <div className={classes.panes}>
        <section className={classes.card} aria-label="Verdict">
          <dl className={classes.figures}>
            <Figure label="State" value={endedAt ? 'Resolved' : incident.acknowledgedAt ? 'Acknowledged' : 'Open'} />
            <Figure
              label={endedAt ? 'Lasted' : 'Lasts'}
              value={formatLength(((endedAt?.getTime() ?? nowMs) - startedAt.getTime()) / 1000)}
            />
            {terminal === null && (
              <>
                <Figure label="Terminals" value={formatCount(terminals)} />
                <Figure label="Back" value={formatCount(back)} />
              </>
            )}
            <Figure label="Confidence" value={formatConfidence(confidence)} />
          </dl>
          {explainIncident(incident, units).map((sentence) => (
            <Text key={sentence}>{sentence}</Text>
          ))}
          {terminal && (
            <Anchor
              renderRoot={(props) => (
                <Link {...props} to="/terminal/$kitnumber" params={{ kitnumber: terminal.nickname }} />
              )}
            >
              {terminal.name}
            </Anchor>
          )}
          {at !== undefined && (
            <Text c="var(--quiet)">
              State and terminals are those of {formatExactTime(nowMs)}, the cause is as known today.
            </Text>
          )}
          {advice && <Text fw={600}>{advice}</Text>}
          {alerts.length > 0 && <Text c="var(--quiet)">Alerts: {alerts.map(getAlertTitle).join(', ')}</Text>}
          {note && <Text mt="sm">Note: {note}</Text>}
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/dashboard"
                search={{ at: toAt(Math.max(incident.openedAt.getTime(), startedAt.getTime()) + MINUTE_MS) }}
              />
            )}
          >
            The fleet as it was then
          </Anchor>
          {isAdmin && at === undefined && (
            <IncidentActions incident={incident}>
              <ShareButton kind="incident" subject={incident.id} />
              {canRegroup(incident, nowMs) && (
                <IncidentGrouping incident={incident} losses={losses} decisions={decisions} />
              )}
            </IncidentActions>
          )}
        </section>
        {terminal === null && (
          <div className={classes.map}>
            <LossMap losses={losses} />
          </div>
        )}
        {terminal && hasEvidence(incident.cause) && (
          <WarningEvidence cause={incident.cause} terminal={terminal} at={at} />
        )}
      </div>
      <section className={classes.card} aria-label="Timeline">
        <h2>Timeline</h2>
        <ol className={classes.timeline}>
          {buildTimeline(incident, losses).map(({ at, text }) => (
            <li key={`${at.getTime()} ${text}`}>
              <time dateTime={at.toISOString()}>{formatExactTime(at)}</time> {text}
            </li>
          ))}
        </ol>
      </section>
      {terminal === null && (
        <DataTable
          label="Terminals"
          columns={lossColumns}
          rows={losses}
          rowKey={({ deviceId, lostAt }) => `${deviceId} ${lostAt.getTime()}`}
          empty="No terminals."
        />
      )}
      {isCut && <Text c="var(--quiet)">Only the first {formatCount(losses.length)} are listed.</Text>}
    </>
  )
}

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
)

const lossColumns: Column<IncidentLoss>[] = [
  {
    key: 'name',
    header: 'Terminal',
    widthPx: 260,
    cell: ({ name, nickname }) => (
      <Anchor renderRoot={(props) => <Link {...props} to="/terminal/$kitnumber" params={{ kitnumber: nickname }} />}>
        {name}
      </Anchor>
    ),
  },
  { key: 'place', header: 'Place', widthPx: 160, cell: ({ place }) => place ?? '-' },
  {
    key: 'lost',
    header: 'Lost',
    widthPx: exactTimeWidthPx,
    cell: ({ lostAt }) => <ColumnTime at={lostAt}>{formatExactTime(lostAt)}</ColumnTime>,
  },
  {
    key: 'back',
    header: 'Back',
    widthPx: exactTimeWidthPx,
    cell: ({ backAt }) => (backAt ? <ColumnTime at={backAt}>{formatExactTime(backAt)}</ColumnTime> : '-'),
  },
  {
    key: 'lasted',
    header: 'Lasted',
    widthPx: 100,
    align: 'right',
    cell: ({ lostAt, backAt }) => (backAt ? formatLength((backAt.getTime() - lostAt.getTime()) / 1000) : '-'),
  },
]

function LossMap({ losses }: { losses: readonly IncidentLoss[] }) {
  const [highlightedId, setHighlightedId] = useState<string>()
  const signature = losses.map(({ deviceId, backAt }) => `${deviceId} ${backAt === null}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the map is fitted again only when a terminal or a state has changed
  const points = useMemo(() => {
    const newest = new Map(losses.map((loss) => [loss.deviceId, loss]))
    return [...newest].map(([id, { name, position, backAt, place }]) => ({
      id,
      name,
      status: backAt ? ('online' as const) : ('offline' as const),
      place: position,
      address: place ?? undefined,
    }))
  }, [signature])
  return (
    <LazyTerminalMap
      points={points}
      highlightedId={highlightedId}
      onHover={setHighlightedId}
      onPick={setHighlightedId}
    />
  )
}

const PageSkeleton = () => (
  <Stack gap={12} role="status" aria-label="Loading...">
    <Skeleton height={40} radius={12} />
    <Skeleton height={280} radius={12} />
    <Skeleton height={200} radius={12} />
  </Stack>
)
