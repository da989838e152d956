import { Button, Text } from '@mantine/core'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { compareNatural } from '#contract/format/natural-order.ts'
import { formatCounted } from '#contract/format/numbers.ts'
import { formatExactTime } from '#contract/format/times.ts'
import { securityEventKinds } from '#contract/security-event-kinds.ts'
import { type SecurityEvent, securityEvents } from '#contract/security-events.ts'
import { call, getErrorMessage, request } from '../../api.ts'
import { AdminFailure } from '../../parts/AdminFailure.tsx'
import { EventFilters } from '../../parts/EventFilters.tsx'
import { type EventFilter, toEventQuery } from '../../parts/event-filter.ts'
import { AdminPlaces } from '../../parts/places/Places.tsx'
import { describeDetails, nameEvent } from '../../parts/security-event-words.ts'
import { ColumnTime, exactTimeWidthPx } from '../../ui/ColumnTime.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import { notice } from '../../ui/notice.ts'
import { saveFile } from '../../ui/save-file.ts'
import { TablePage } from '../../ui/TablePage.tsx'
import type { SecurityFilter } from './security-filter.ts'

const route = getRouteApi('/security-events')

const pageSize = 100

const toQuery = ({ kind, ...filter }: SecurityFilter) => ({ ...toEventQuery(filter), ...(kind && { kind }) })

const eventsQuery = (filter: SecurityFilter) =>
  infiniteQueryOptions({
    queryKey: ['security events', filter],
    queryFn: ({ pageParam, signal }) =>
      call(securityEvents.list, { ...toQuery(filter), limit: pageSize, ...pageParam }, signal),
    initialPageParam: {} as { before?: string; beforeTime?: Date },
    getNextPageParam: (page) => {
      const last = page.at(-1)
      return last && page.length === pageSize ? { before: last.id, beforeTime: last.lastAt } : undefined
    },
  })

const columns: Column<SecurityEvent>[] = [
  {
    key: 'at',
    header: 'Time',
    widthPx: exactTimeWidthPx,
    cell: ({ lastAt }) => <ColumnTime at={lastAt}>{formatExactTime(lastAt)}</ColumnTime>,
  },
  {
    key: 'kind',
    header: 'Event',
    // Fits the longest name with a count.
    widthPx: 300,
    cell: ({ kind, count }) => (count > 1 ? `${nameEvent(kind)} (${formatCounted(count, 'time')})` : nameEvent(kind)),
  },
  { key: 'account', header: 'Account', widthPx: 225, cell: ({ account }) => account || '-' },
  { key: 'actor', header: 'By', widthPx: 185, cell: ({ account, actor }) => (actor === account ? '-' : actor || '-') },
  { key: 'address', header: 'Address', widthPx: 130, cell: ({ address }) => address || '-' },
  { key: 'device', header: 'Device', widthPx: 160, cell: ({ device }) => device || '-' },
  {
    key: 'details',
    header: 'Details',
    widthPx: 166,
    cell: ({ details }) => <span title={describeDetails(details)}>{describeDetails(details) || '-'}</span>,
  },
]

const kinds = Object.entries(securityEventKinds).map(([value, label]) => ({ value, label }))

/** Sign-ins, failures, permission changes and exports in the tenant. */
export function SecurityEventsPage() {
  const { person, kind, from, until } = route.useSearch()
  const filter: SecurityFilter = { person, kind, from, until }
  const navigate = route.useNavigate()
  const events = useInfiniteQuery(eventsQuery(filter))
  const rows = events.data?.pages.flat()
  const show = (change: Partial<EventFilter>) =>
    navigate({
      search: (before) => ({ ...before, ...(change as Partial<SecurityFilter>) }),
      replace: true,
      resetScroll: false,
    })
  if (events.isError && !events.data)
    return (
      <AdminFailure
        what="The security events could not be loaded."
        error={events.error}
        onRetry={() => void events.refetch()}
      />
    )
  return (
    <TablePage
      places={<AdminPlaces />}
      title="Security Events"
      filters={
        <EventFilters
          filter={filter}
          kindLabel="Event"
          allKinds="All events"
          kinds={kinds}
          knownUsers={[...new Set(rows?.map(({ account }) => account).filter(Boolean))].sort(compareNatural)}
          onChange={show}
        />
      }
      actions={
        <Button variant="default" onClick={() => download(filter)}>
          Download CSV
        </Button>
      }
    >
      <DataTable
        label="Security events"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        empty={Object.values(filter).some(Boolean) ? 'No events match.' : 'There are no events yet.'}
        onEnd={() => events.hasNextPage && !events.isFetchingNextPage && void events.fetchNextPage()}
      />
      {rows && (
        <Text size="xs" c="var(--quiet)" role="status">
          {events.isFetchingNextPage
            ? 'Loading more…'
            : `${formatCounted(rows.length, 'event')}${events.hasNextPage ? ', more below' : ''}`}
        </Text>
      )}
    </TablePage>
  )
}

async function download(filter: SecurityFilter) {
  try {
    const response = await request(securityEvents.download, toQuery(filter))
    saveFile(await response.blob(), 'security-events.csv')
  } catch (error) {
    notice.error(`Error downloading CSV: ${getErrorMessage(error)}`)
  }
}
