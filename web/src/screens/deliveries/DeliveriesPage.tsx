import { Anchor, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { type Deliveries, type Delivery, deliveryStates } from '#contract/deliveries.ts'
import { formatCount } from '#contract/format/numbers.ts'
import { AdminFailure } from '../../parts/AdminFailure.tsx'
import { AdminPlaces } from '../../parts/places/Places.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { bindColumns, type PageColumn, textColumn } from '../../ui/data-table.ts'
import { createRowSearch } from '../../ui/row-search.ts'
import { TablePage } from '../../ui/TablePage.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import classes from './DeliveriesPage.module.css'
import { deliveriesQuery, stateNames } from './deliveries.ts'
import { MessageDialog } from './MessageDialog.tsx'

const route = getRouteApi('/deliveries')

interface MessagePage {
  nowMs: number
  onOpen: (id: string) => void
}

const columns: readonly PageColumn<Delivery, MessagePage>[] = [
  textColumn('recipient', 'To', 220, ({ recipient }) => recipient),
  textColumn('channel', 'Channel', 90, ({ channel }) => (channel === 'sms' ? 'SMS' : 'Email')),
  textColumn('state', 'State', 100, ({ state }) => stateNames[state]),
  {
    ...textColumn<Delivery>('subject', 'Message', 460, ({ subject }) => subject),
    cell: ({ id, subject }, { onOpen }) => (
      <Anchor component="button" type="button" className={classes.subject} title={subject} onClick={() => onOpen(id)}>
        {subject || 'No subject'}
      </Anchor>
    ),
  },
  {
    key: 'created',
    header: 'Written',
    cell: ({ createdAt }, { nowMs }) => <TimeAgo at={createdAt} nowMs={nowMs} />,
    widthPx: 120,
  },
  { key: 'attempts', header: 'Tries', cell: ({ attempts }) => formatCount(attempts), widthPx: 80, align: 'right' },
  {
    ...textColumn<Delivery>('problem', 'Problem', 176, ({ problem }) => problem),
    cell: ({ problem }) => <span title={problem ?? undefined}>{problem ?? '-'}</span>,
  },
]

const search = createRowSearch(columns)

const formatBudget = ({ texts, budget }: { texts: number; budget: number }) =>
  `${formatCount(texts)} of ${formatCount(budget)} texts used this month (UTC)${texts >= budget ? '; no more are sent' : ''}.`

const waitWords = {
  email: 'No mail server is set up, so email waits.',
  sms: 'No SMS gateway is set up, so texts wait.',
}

const describeSending = ({ waitingChannels, smsBudget }: Deliveries) => [
  ...waitingChannels.map((channel) => waitWords[channel]),
  ...(waitingChannels.includes('sms') ? [] : [formatBudget(smsBudget)]),
]

/** The delivery state of each message. */
export function DeliveriesPage() {
  const { state, q = '', message } = route.useSearch()
  const navigate = route.useNavigate()
  const all = useQuery(deliveriesQuery(state))
  const nowMs = useNow(30_000)
  const text = useDeferredValue(q)
  const messages = all.data?.messages
  const rows = useMemo(() => messages && search.find(messages, text.trim()), [messages, text])
  if (all.isError && !all.data)
    return (
      <AdminFailure what="The messages could not be loaded." error={all.error} onRetry={() => void all.refetch()} />
    )
  const show = (change: {
    state?: Delivery['state'] | undefined
    q?: string | undefined
    message?: string | undefined
  }) => navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  const open = (id: string) => void show({ message: id })
  const counts = all.data?.counts
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0)
  const label = (each: Delivery['state']) => `${stateNames[each]}${counts ? ` ${formatCount(counts[each])}` : ''}`
  return (
    <TablePage
      places={<AdminPlaces />}
      title="Deliveries"
      count={total === undefined ? undefined : formatCount(total)}
      subtitle={['Email and SMS messages to users, newest first.', ...(all.data ? describeSending(all.data) : [])].join(
        ' ',
      )}
      search={{ label: 'Search messages', text: q, onChange: (next) => show({ q: next || undefined }) }}
      filters={
        <SegmentedControl
          aria-label="State"
          maw="100%"
          style={{ flexWrap: 'wrap' }}
          value={state ?? 'all'}
          onChange={(value) => show({ state: value === 'all' ? undefined : value })}
          data={[{ value: 'all', label: 'All' }, ...deliveryStates.map((value) => ({ value, label: label(value) }))]}
        />
      }
    >
      <DataTable
        label="Deliveries"
        columns={bindColumns(columns, { nowMs, onOpen: open })}
        rows={rows}
        rowKey={({ id }) => id}
        empty={q ? 'No messages match your search.' : 'No messages here.'}
        onOpen={({ id }) => open(id)}
      />
      {message && (
        <MessageDialog
          key={message}
          messageId={message}
          onOpen={open}
          onClose={() => void show({ message: undefined })}
        />
      )}
    </TablePage>
  )
}
