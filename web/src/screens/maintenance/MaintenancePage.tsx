import { Button, Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { formatCount } from '#contract/format/numbers.ts'
import { formatDateTime } from '#contract/format/times.ts'
import type { MaintenanceWindow } from '#contract/maintenance.ts'
import { OperationPlaces } from '../../parts/places/Places.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { useIsAdmin } from '../../session.ts'
import { ColumnTime } from '../../ui/ColumnTime.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { TablePage } from '../../ui/TablePage.tsx'
import { WindowDialog } from './WindowDialog.tsx'
import { describeSchedule, describeTarget } from './window-words.ts'
import { useEndWindow, windowsQuery } from './windows.ts'

const route = getRouteApi('/maintenance')

const stateWords = { running: 'Running', upcoming: 'Upcoming', past: 'Past' }

const nameColumn: Column<MaintenanceWindow> = {
  key: 'name',
  header: 'Maintenance',
  widthPx: 190,
  cell: ({ name }) => name,
}

const columns: Column<MaintenanceWindow>[] = [
  { key: 'state', header: 'State', widthPx: 98, cell: ({ state }) => stateWords[state] },
  { key: 'target', header: 'What', widthPx: 122, cell: describeTarget },
  // In the time zone of the schedule in the next column.
  {
    key: 'from',
    header: 'From',
    widthPx: 206,
    cell: ({ from, timeZone }) => (from ? <ColumnTime at={from}>{formatDateTime(from, timeZone)}</ColumnTime> : '-'),
  },
  {
    key: 'until',
    header: 'Until',
    widthPx: 206,
    cell: ({ until, timeZone }) =>
      until ? <ColumnTime at={until}>{formatDateTime(until, timeZone)}</ColumnTime> : '-',
  },
  {
    key: 'schedule',
    header: 'Schedule',
    widthPx: 180,
    cell: ({ schedule, timeZone }) => (
      <span title={`${describeSchedule(schedule)} (${timeZone})`}>{describeSchedule(schedule)}</span>
    ),
  },
  {
    key: 'terminals',
    header: 'Terminals',
    widthPx: 98,
    align: 'right',
    cell: ({ terminals }) => formatCount(terminals),
  },
]

type Open = { kind: 'new' } | { kind: 'change' | 'end'; window: MaintenanceWindow }

/** Maintenance windows: current, upcoming and past. */
export function MaintenancePage() {
  const { show, terminal } = route.useSearch()
  const navigate = route.useNavigate()
  const isAdmin = useIsAdmin()
  const query = useQuery(windowsQuery(terminal))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  if (query.isError && !query.data)
    return <QueryFailure isPage what="The maintenance windows could not be loaded." query={query} />
  const rows = query.data?.windows.filter(({ state }) => (state === 'past') === (show === 'past'))
  const running = query.data?.windows.filter(({ state }) => state === 'running').length
  const actionColumn: Column<MaintenanceWindow> = {
    key: 'actions',
    header: 'Actions',
    widthPx: 146,
    cell: (window) => (
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => setOpen({ kind: 'change', window })}>
          Change
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setOpen({ kind: 'end', window })}>
          End
        </Button>
      </Group>
    ),
  }
  return (
    <TablePage
      places={<OperationPlaces />}
      title="Maintenance"
      count={running === undefined ? undefined : `${formatCount(running)} running`}
      subtitle={
        terminal === undefined
          ? 'Outages in these times notify nobody and do not count against availability'
          : `Of ${terminal}`
      }
      filters={
        <SegmentedControl
          aria-label="Show"
          value={show ?? 'current'}
          onChange={(value) =>
            void navigate({
              search: (before) => ({ ...before, show: value === 'past' ? 'past' : undefined }),
              replace: true,
            })
          }
          data={[
            { value: 'current', label: 'Current' },
            { value: 'past', label: 'Past' },
          ]}
        />
      }
      actions={isAdmin && <Button onClick={() => setOpen({ kind: 'new' })}>Plan maintenance</Button>}
    >
      <DataTable
        label="Maintenance windows"
        columns={[nameColumn, ...(isAdmin && show !== 'past' ? [actionColumn] : []), ...columns]}
        rows={rows}
        rowKey={({ id }) => id}
        empty={show === 'past' ? 'There has been no maintenance.' : 'No maintenance is planned.'}
      />
      {open && open.kind !== 'end' && query.data && (
        <WindowDialog
          window={open.kind === 'change' ? open.window : undefined}
          timeZone={query.data.timeZone}
          onClose={close}
        />
      )}
      {open?.kind === 'end' && <EndQuestion window={open.window} onClose={close} />}
    </TablePage>
  )
}

function EndQuestion({ window: { id, name }, onClose }: { window: MaintenanceWindow; onClose: () => void }) {
  const end = useEndWindow()
  return (
    <QuestionDialog
      title="End maintenance"
      opened
      pending={end.isPending}
      action="End"
      isDangerous
      onConfirm={() => end.mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    >
      End “{name}” now, with all its future times? What is lost from now on is reported again.
    </QuestionDialog>
  )
}
