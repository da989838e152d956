import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#contract/format/numbers.ts'
import type { Webhook } from '#contract/webhooks.ts'
import { AdminFailure } from '../../parts/AdminFailure.tsx'
import { AdminPlaces } from '../../parts/places/Places.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { bindColumns, type PageColumn, textColumn } from '../../ui/data-table.ts'
import { TablePage } from '../../ui/TablePage.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import { WebhookDeliveries } from './WebhookDeliveries.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'
import { describeState, describeTarget, webhooksQuery } from './webhooks.ts'

interface Actions {
  nowMs: number
  onOpen: (webhook: Webhook) => void
  onChange: (webhook: Webhook) => void
}

const formatNames = { standard: 'Standard', slack: 'Slack', teams: 'Teams' }

const columns: readonly PageColumn<Webhook, Actions>[] = [
  textColumn('name', 'Name', 140, ({ name }) => name),
  {
    key: 'actions',
    header: 'Actions',
    widthPx: 190,
    cell: (webhook, { onOpen, onChange }) => (
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Deliveries of ${webhook.name}`}
          onClick={() => onOpen(webhook)}
        >
          Deliveries
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Change ${webhook.name}`}
          onClick={() => onChange(webhook)}
        >
          Change
        </Button>
      </Group>
    ),
  },
  {
    key: 'state',
    header: 'State',
    widthPx: 110,
    cell: (webhook) => <span title={webhook.pauseReason ?? undefined}>{describeState(webhook)}</span>,
  },
  textColumn('url', 'Address', 206, ({ url }) => url),
  textColumn('format', 'Format', 90, ({ format }) => formatNames[format]),
  textColumn('target', 'About', 130, describeTarget),
  {
    key: 'events',
    header: 'Events',
    widthPx: 170,
    cell: ({ eventTypes }) => <span title={eventTypes.join('\n')}>{eventTypes.join(', ')}</span>,
  },
  { key: 'waiting', header: 'Waiting', widthPx: 100, align: 'right', cell: ({ waiting }) => formatCount(waiting) },
  {
    key: 'delivered',
    header: 'Last Sent',
    widthPx: 110,
    cell: ({ lastDeliveredAt }, { nowMs }) =>
      lastDeliveredAt ? <TimeAgo at={lastDeliveredAt} nowMs={nowMs} /> : 'never',
  },
]

/** Where the tenant's events are sent, and the state of each webhook. */
export function WebhooksPage() {
  const all = useQuery(webhooksQuery)
  const nowMs = useNow(30_000)
  const [editing, setEditing] = useState<Webhook | 'new'>()
  const [openedId, setOpenedId] = useState<string>()
  if (all.isError && !all.data)
    return (
      <AdminFailure what="The webhooks could not be loaded." error={all.error} onRetry={() => void all.refetch()} />
    )
  const opened = all.data?.find(({ id }) => id === openedId)
  return (
    <TablePage
      places={<AdminPlaces />}
      title="Webhooks"
      count={all.data && String(all.data.length)}
      subtitle="Events are sent to programs, Slack or Teams as they happen. Their order is not guaranteed."
      actions={
        <>
          <Button variant="default" component="a" href="/api/docs">
            How to Receive Events
          </Button>
          <Button onClick={() => setEditing('new')}>Create Webhook</Button>
        </>
      }
    >
      <DataTable
        label="Webhooks"
        columns={bindColumns(columns, { nowMs, onOpen: ({ id }) => setOpenedId(id), onChange: setEditing })}
        rows={all.data}
        rowKey={({ id }) => id}
        empty="No webhooks yet."
      />
      {opened && <WebhookDeliveries key={opened.id} webhook={opened} nowMs={nowMs} />}
      {editing && (
        <WebhookDialog webhook={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
    </TablePage>
  )
}
