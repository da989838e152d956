import { SegmentedControl } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Delivery, deliveries, deliveryStates } from '#contract/deliveries.ts'
import { formatCount } from '#contract/format/numbers.ts'
import { call } from '../../api.ts'
import { AdminFailure } from '../../parts/AdminFailure.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Column } from '../../ui/data-table.ts'
import { TablePage } from '../../ui/TablePage.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'

type Shown = Delivery['state'] | 'all'

const deliveriesQuery = (shown: Shown) =>
  queryOptions({
    queryKey: ['deliveries', shown],
    queryFn: ({ signal }) => call(deliveries.list, shown === 'all' ? {} : { state: shown }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })

const stateNames: Record<Delivery['state'], string> = {
  queued: 'Waiting',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Not sent',
  unknown: 'Unknown',
}

const columns = (nowMs: number): Column<Delivery>[] => [
  { key: 'recipient', header: 'To', cell: ({ recipient }) => recipient, widthPx: 220 },
  { key: 'channel', header: 'By', cell: ({ channel }) => (channel === 'sms' ? 'SMS' : 'Email'), widthPx: 80 },
  { key: 'state', header: 'State', cell: ({ state }) => stateNames[state], widthPx: 100 },
  { key: 'subject', header: 'Message', cell: ({ subject }) => <span title={subject}>{subject}</span>, widthPx: 340 },
  {
    key: 'created',
    header: 'Written',
    cell: ({ createdAt }) => <TimeAgo at={createdAt} nowMs={nowMs} />,
    widthPx: 120,
  },
  { key: 'attempts', header: 'Tries', cell: ({ attempts }) => attempts, widthPx: 80, align: 'right' },
  {
    key: 'problem',
    header: 'Problem',
    cell: ({ problem }) => <span title={problem ?? undefined}>{problem ?? '-'}</span>,
    widthPx: 280,
  },
]

const formatBudget = ({ texts, budget }: { texts: number; budget: number }) =>
  `${formatCount(texts)} of ${formatCount(budget)} texts used this month (UTC)${texts >= budget ? '; no more are sent' : ''}`

/** The delivery state of each message. */
export function DeliveriesPage() {
  const [shown, setShown] = useState<Shown>('all')
  const all = useQuery(deliveriesQuery(shown))
  const nowMs = useNow(30_000)
  if (all.isError && !all.data)
    return (
      <AdminFailure what="The messages could not be loaded." error={all.error} onRetry={() => void all.refetch()} />
    )
  const counts = all.data?.counts
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0)
  const label = (state: Delivery['state']) => `${stateNames[state]}${counts ? ` ${counts[state]}` : ''}`
  return (
    <TablePage
      title="Deliveries"
      count={total === undefined ? undefined : String(total)}
      subtitle={`Email and SMS messages to users, newest first${all.data ? `. ${formatBudget(all.data.smsBudget)}` : ''}`}
      filters={
        <SegmentedControl
          aria-label="State"
          maw="100%"
          style={{ overflowX: 'auto' }}
          value={shown}
          onChange={(value) => setShown(value as Shown)}
          data={[{ value: 'all', label: 'All' }, ...deliveryStates.map((value) => ({ value, label: label(value) }))]}
        />
      }
    >
      <DataTable
        label="Deliveries"
        columns={columns(nowMs)}
        rows={all.data?.messages}
        rowKey={({ id }) => id}
        empty="No messages here."
      />
    </TablePage>
  )
}
