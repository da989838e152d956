import { Anchor, SegmentedControl, Text } from '@mantine/core'
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { formatConfidence, formatIncidentTitle } from '#contract/incident-words.ts'
import { type Incident, incidents } from '#contract/incidents.ts'
import { call } from '../../api.ts'
import { EventsButton } from '../../parts/events/EventsButton.tsx'
import { atTime } from '../../parts/incidents/incident-queries.ts'
import { OperationPlaces } from '../../parts/places/Places.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { useAt } from '../../past-search.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import { TablePage } from '../../ui/TablePage.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'

const route = getRouteApi('/incidents')

const pageSize = 50

const incidentsQuery = (show: 'open' | 'all', at: string | undefined) => {
  const { input, refetchInterval } = atTime(at)
  return infiniteQueryOptions({
    queryKey: ['incidents', 'list', show, at],
    queryFn: ({ pageParam, signal }) => call(incidents.list, { show, limit: pageSize, ...input, ...pageParam }, signal),
    initialPageParam: {} as { before?: string },
    getNextPageParam: ({ incidents: page }) => {
      const last = page.at(-1)
      return last && page.length === pageSize ? { before: last.id } : undefined
    },
    refetchInterval,
    placeholderData: keepPreviousData,
  })
}

const describeState = ({ endedAt, acknowledgedAt }: Incident) =>
  endedAt ? 'Resolved' : acknowledgedAt ? 'Acknowledged' : 'Open'

const columns = (nowMs: number): Column<Incident>[] => [
  {
    key: 'title',
    header: 'Incident',
    widthPx: 360,
    cell: (incident) => (
      <Anchor renderRoot={(props) => <Link {...props} to="/incidents/$id" params={{ id: incident.id }} />}>
        {formatIncidentTitle(incident)}
      </Anchor>
    ),
  },
  { key: 'state', header: 'State', widthPx: 120, cell: describeState },
  { key: 'started', header: 'Began', widthPx: 120, cell: ({ startedAt }) => <TimeAgo at={startedAt} nowMs={nowMs} /> },
  {
    key: 'lasted',
    header: 'Lasted',
    widthPx: 100,
    align: 'right',
    cell: ({ startedAt, endedAt }) => formatLength(((endedAt?.getTime() ?? nowMs) - startedAt.getTime()) / 1000),
  },
  {
    key: 'terminals',
    header: 'Terminals',
    widthPx: 100,
    align: 'right',
    cell: ({ terminals }) => formatCount(terminals),
  },
  { key: 'confidence', header: 'Confidence', widthPx: 140, cell: ({ confidence }) => formatConfidence(confidence) },
  { key: 'place', header: 'Place', widthPx: 160, cell: ({ place }) => place ?? '-' },
]

/** Terminals that went down together, and why. */
export function IncidentsPage() {
  const { show = 'open' } = route.useSearch()
  const navigate = route.useNavigate()
  const at = useAt()
  const query = useInfiniteQuery(incidentsQuery(show, at))
  const nowMs = useNow(30_000)
  const rows = query.data?.pages.flatMap((page) => page.incidents)
  if (query.isError && !query.data)
    return <QueryFailure isPage what="The incidents could not be loaded." query={query} />
  const [first] = query.data?.pages ?? []
  return (
    <TablePage
      places={<OperationPlaces />}
      title="Incidents"
      count={first && `${formatCount(first.openCount)} open, ${formatCounted(first.warningCount, 'warning')}`}
      subtitle={
        at === undefined
          ? 'Terminals that went down together, with the cause, and early warnings of those that may go down next'
          : 'Terminals that were down together then, with the cause as known today'
      }
      filters={
        <SegmentedControl
          aria-label="Show"
          value={show}
          onChange={(value) =>
            void navigate({
              search: (before) => ({ ...before, show: value === 'all' ? 'all' : undefined }),
              replace: true,
            })
          }
          data={[
            { value: 'open', label: 'Open' },
            { value: 'all', label: 'All' },
          ]}
        />
      }
      actions={at === undefined && <EventsButton />}
    >
      <DataTable
        label="Incidents"
        columns={columns(nowMs)}
        rows={rows}
        rowKey={({ id }) => id}
        empty={
          show === 'all'
            ? 'No incident is recorded.'
            : at === undefined
              ? 'No incident is open.'
              : 'No incident was open then.'
        }
        onEnd={() => query.hasNextPage && !query.isFetchingNextPage && void query.fetchNextPage()}
      />
      {rows && query.hasNextPage && (
        <Text size="xs" c="var(--quiet)" role="status">
          {query.isFetchingNextPage ? 'Loading more…' : 'More below'}
        </Text>
      )}
    </TablePage>
  )
}
