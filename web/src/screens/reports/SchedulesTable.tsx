import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatCounted } from '#contract/format/numbers.ts'
import { formatDateTime } from '#contract/format/times.ts'
import { formatReportScope } from '#contract/report-words.ts'
import type { ReportSchedule } from '#contract/reports.ts'
import { OperationPlaces } from '../../parts/places/Places.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { ColumnTime } from '../../ui/ColumnTime.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { TablePage } from '../../ui/TablePage.tsx'
import { PreviewDialog } from './PreviewDialog.tsx'
import { schedulesQuery, useDeleteSchedule, useSendNow } from './reports.ts'
import { ScheduleDialog } from './ScheduleDialog.tsx'

const columns: Column<ReportSchedule>[] = [
  {
    key: 'every',
    header: 'Every',
    widthPx: 90,
    cell: ({ period }) => (period === 'week' ? 'Week' : 'Month'),
  },
  { key: 'group', header: 'Terminals', widthPx: 180, cell: formatReportScope },
  {
    key: 'next',
    header: 'Next',
    widthPx: 240,
    cell: ({ nextAt, timeZone, isRequested }) =>
      isRequested ? (
        'Being made now'
      ) : (
        <span title={timeZone}>
          <ColumnTime at={nextAt}>{formatDateTime(nextAt, timeZone)}</ColumnTime>
        </span>
      ),
  },
  {
    key: 'recipients',
    header: 'Recipients',
    widthPx: 130,
    cell: ({ recipients }) =>
      recipients.length === 0 ? (
        'Nobody'
      ) : (
        <span title={recipients.map(({ email }) => email).join(', ')}>{formatCounted(recipients.length, 'user')}</span>
      ),
  },
]

type Open = { kind: 'new' } | { kind: 'change' | 'preview' | 'send' | 'delete'; schedule: ReportSchedule }

const actions = [
  ['Preview', 'preview'],
  ['Send now', 'send'],
  ['Change', 'change'],
  ['Delete', 'delete'],
] as const

/** When reports are created, and their recipients. */
export function SchedulesTable({ filters }: { filters: ReactNode }) {
  const query = useQuery(schedulesQuery)
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  if (query.isError && !query.data)
    return <QueryFailure isPage what="The schedules could not be loaded." query={query} />
  const nameColumn: Column<ReportSchedule> = {
    key: 'name',
    header: 'Report',
    widthPx: 200,
    cell: ({ name }) => name,
  }
  const actionColumn: Column<ReportSchedule> = {
    key: 'actions',
    header: 'Actions',
    widthPx: 360,
    cell: (schedule) => (
      <Group gap="xs">
        {actions.map(([label, kind]) => (
          <Button key={kind} size="compact-sm" variant="default" onClick={() => setOpen({ kind, schedule })}>
            {label}
          </Button>
        ))}
      </Group>
    ),
  }
  return (
    <TablePage
      places={<OperationPlaces />}
      title="Reports"
      subtitle="Each recipient gets what they may see of these terminals at the time of sending"
      filters={filters}
      actions={<Button onClick={() => setOpen({ kind: 'new' })}>Schedule reports</Button>}
    >
      <DataTable
        label="Schedules"
        columns={[nameColumn, actionColumn, ...columns]}
        rows={query.data?.schedules}
        rowKey={({ id }) => id}
        empty="No reports are scheduled."
      />
      {open && (open.kind === 'new' || open.kind === 'change') && query.data && (
        <ScheduleDialog
          schedule={open.kind === 'change' ? open.schedule : undefined}
          timeZone={query.data.timeZone}
          onClose={close}
        />
      )}
      {open?.kind === 'preview' && <PreviewDialog schedule={open.schedule} onClose={close} />}
      {open?.kind === 'send' && <SendQuestion schedule={open.schedule} onClose={close} />}
      {open?.kind === 'delete' && <DeleteQuestion schedule={open.schedule} onClose={close} />}
    </TablePage>
  )
}

interface QuestionProps {
  schedule: ReportSchedule
  onClose: () => void
}

function SendQuestion({ schedule: { id, name, period, recipients }, onClose }: QuestionProps) {
  const send = useSendNow()
  const isForNobody = recipients.length === 0
  return (
    <QuestionDialog
      title={isForNobody ? 'Make now' : 'Send now'}
      opened
      pending={send.isPending}
      action={isForNobody ? 'Make' : 'Send'}
      onConfirm={() => send.mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    >
      {isForNobody
        ? `Make “${name}” on the last whole ${period} now? It has no recipients, so it is only stored.`
        : `Send “${name}” on the last whole ${period} to ${formatCounted(recipients.length, 'user')} now?`}
    </QuestionDialog>
  )
}

function DeleteQuestion({ schedule: { id, name }, onClose }: QuestionProps) {
  const remove = useDeleteSchedule()
  return (
    <QuestionDialog
      title="Delete schedule"
      opened
      pending={remove.isPending}
      action="Delete"
      isDangerous
      onConfirm={() => remove.mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    >
      Delete the schedule “{name}”? Its reports stay.
    </QuestionDialog>
  )
}
