import { Anchor, Button, Group, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { formatDateTime } from '#contract/format/times.ts'
import { formatAvailability, formatReportPeriod, formatReportScope } from '#contract/report-words.ts'
import type { ReportHeading } from '#contract/reports.ts'
import { OperationPlaces } from '../../parts/places/Places.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { useIsAdmin } from '../../session.ts'
import { ColumnTime } from '../../ui/ColumnTime.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import { TablePage } from '../../ui/TablePage.tsx'
import { download, reportsQuery } from './reports.ts'
import { SchedulesTable } from './SchedulesTable.tsx'

const route = getRouteApi('/reports')

const columns: Column<ReportHeading>[] = [
  {
    key: 'period',
    header: 'Period',
    widthPx: 220,
    cell: (report) => (
      <Anchor component={Link} to={`/reports/${report.id}`} size="sm">
        {formatReportPeriod(report)}
      </Anchor>
    ),
  },
  {
    key: 'files',
    header: 'Download',
    widthPx: 150,
    cell: ({ id }) => (
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => void download(id, 'pdf')}>
          PDF
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => void download(id, 'csv')}>
          CSV
        </Button>
      </Group>
    ),
  },
  { key: 'name', header: 'Report', widthPx: 220, cell: ({ name }) => name },
  { key: 'group', header: 'Terminals', widthPx: 180, cell: formatReportScope },
  {
    key: 'availability',
    header: 'Availability',
    widthPx: 130,
    align: 'right',
    cell: ({ percent, isBreached }) => `${isBreached ? 'below target ' : ''}${formatAvailability(percent)}`,
  },
  {
    key: 'made',
    header: 'Made',
    widthPx: 220,
    cell: ({ madeAt }) => <ColumnTime at={madeAt}>{formatDateTime(madeAt)}</ColumnTime>,
  },
]

/** The existing reports and, for administrators, their schedules and recipients. */
export function ReportsPage() {
  const { show } = route.useSearch()
  const navigate = route.useNavigate()
  const isAdmin = useIsAdmin()
  const filters = isAdmin && (
    <SegmentedControl
      aria-label="Show"
      value={show ?? 'reports'}
      onChange={(value) =>
        void navigate({
          search: (before) => ({ ...before, show: value === 'schedules' ? 'schedules' : undefined }),
          replace: true,
        })
      }
      data={[
        { value: 'reports', label: 'Reports' },
        { value: 'schedules', label: 'Schedules' },
      ]}
    />
  )
  return isAdmin && show === 'schedules' ? <SchedulesTable filters={filters} /> : <MadeReports filters={filters} />
}

function MadeReports({ filters }: { filters: React.ReactNode }) {
  const query = useInfiniteQuery(reportsQuery)
  if (query.isError && !query.data) return <QueryFailure isPage what="The reports could not be loaded." query={query} />
  return (
    <TablePage
      places={<OperationPlaces />}
      title="Reports"
      subtitle="Availability, incidents and data of a week or a month, as they were when the report was made"
      filters={filters}
    >
      <DataTable
        label="Reports"
        columns={columns}
        rows={query.data?.pages.flatMap(({ reports }) => reports)}
        rowKey={({ id }) => id}
        empty="No report has been made yet."
        onEnd={() => query.hasNextPage && !query.isFetchingNextPage && void query.fetchNextPage()}
      />
    </TablePage>
  )
}
