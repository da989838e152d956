import { Anchor, Button, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { audit } from '#contract/audit.ts'
import { describeEntry } from '#contract/audit-sentences.ts'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { formatExactTime } from '#contract/format/times.ts'
import { getErrorMessage, request } from '../../api.ts'
import { AdminFailure } from '../../parts/AdminFailure.tsx'
import { EventFilters } from '../../parts/EventFilters.tsx'
import type { EventFilter } from '../../parts/event-filter.ts'
import { AdminPlaces } from '../../parts/places/Places.tsx'
import { ColumnTime, exactTimeWidthPx } from '../../ui/ColumnTime.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import { notice } from '../../ui/notice.ts'
import { saveFile } from '../../ui/save-file.ts'
import { TablePage } from '../../ui/TablePage.tsx'
import { DetailsDialog } from './DetailsDialog.tsx'
import { type EntryGroup, groupEntries } from './group-entries.ts'
import classes from './LogsPage.module.css'
import type { LogFilter } from './log-filter.ts'
import { choicesQuery, logsQuery, toQuery } from './logs.ts'
import { VerifyButton } from './VerifyButton.tsx'

const route = getRouteApi('/editing-logs')

const columns = (onOpen: (group: EntryGroup) => void): Column<EntryGroup>[] => [
  { key: 'actionPerformer', header: 'ActionPerformer', widthPx: 220, cell: ({ first }) => first.actionPerformer },
  {
    key: 'actionType',
    header: 'ActionType',
    widthPx: 480,
    cell: (group) => (
      <span className={classes.action}>
        <Anchor component="button" type="button" ta="left" className={classes.sentence} onClick={() => onOpen(group)}>
          {describeGroup(group)}
        </Anchor>
        <code>{group.first.actionType}</code>
      </span>
    ),
  },
  { key: 'actionPerformee', header: 'ActionPerformee', widthPx: 200, cell: ({ first }) => first.actionPerformee },
  {
    key: 'actionTime',
    header: 'ActionTime',
    widthPx: exactTimeWidthPx,
    cell: ({ first: { actionTime } }) => <ColumnTime at={actionTime}>{formatExactTime(actionTime)}</ColumnTime>,
  },
]

const describeGroup = ({ first, entries }: EntryGroup) =>
  `${describeEntry(first)}${entries.length > 1 ? `, and ${formatCount(entries.length - 1)} more` : ''}`

export function LogsPage() {
  const filter = route.useSearch()
  const navigate = route.useNavigate()
  const logs = useInfiniteQuery(logsQuery(filterOnly(filter)))
  const choices = useQuery(choicesQuery)
  const [opened, setOpened] = useState<EntryGroup>()
  const rows = useMemo(() => logs.data?.pages.flat(), [logs.data])
  const groups = useMemo(() => rows && groupEntries(rows), [rows])
  const show = (change: Partial<LogFilter>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  if (logs.isError && !logs.data)
    return <AdminFailure what="The log could not be loaded." error={logs.error} onRetry={() => void logs.refetch()} />
  return (
    <TablePage
      places={<AdminPlaces />}
      title="Editing Log"
      filters={
        <EventFilters
          filter={{ ...filterOnly(filter), kind: filter.action }}
          kindLabel="Action"
          allKinds="All actions"
          kinds={choices.data?.actions ?? (filter.action ? [filter.action] : [])}
          knownUsers={choices.data?.performers ?? []}
          onChange={(change) => show(toLogChange(change))}
        />
      }
      actions={
        <>
          <VerifyButton />
          <Button variant="default" onClick={() => download(filterOnly(filter))}>
            Download CSV
          </Button>
        </>
      }
    >
      <DataTable
        label="Editing log"
        columns={columns(setOpened)}
        rows={groups}
        rowKey={({ first }) => first.id}
        rowHeightPx={72}
        empty={Object.values(filterOnly(filter)).some(Boolean) ? 'No entries match.' : 'Nothing has been changed yet.'}
        onOpen={setOpened}
        onEnd={() => logs.hasNextPage && !logs.isFetchingNextPage && void logs.fetchNextPage()}
      />
      {rows && (
        <Text size="xs" c="var(--quiet)" role="status">
          {logs.isFetchingNextPage
            ? 'Loading more…'
            : `${formatCounted(rows.length, 'entry', 'entries')}${logs.hasNextPage ? ', more below' : ''}`}
        </Text>
      )}
      {opened && <DetailsDialog entries={opened.entries} onClose={() => setOpened(undefined)} />}
    </TablePage>
  )
}

const toLogChange = (change: Partial<EventFilter>): Partial<LogFilter> => {
  const { kind, ...others } = change
  return 'kind' in change ? { ...others, action: kind } : others
}

const filterOnly = ({ person, action, from, until }: LogFilter): LogFilter => ({ person, action, from, until })

async function download(filter: LogFilter) {
  try {
    const response = await request(audit.download, toQuery(filter))
    saveFile(await response.blob(), 'editing-log.csv')
  } catch (error) {
    notice.error(`Error downloading CSV: ${getErrorMessage(error)}`)
  }
}
