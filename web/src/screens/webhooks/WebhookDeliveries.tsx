import { Alert, Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#contract/format/numbers.ts'
import { formatExactTime } from '#contract/format/times.ts'
import { type Webhook, type WebhookDelivery, webhooks } from '#contract/webhooks.ts'
import { call, getErrorMessage } from '../../api.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { bindColumns, type PageColumn, textColumn } from '../../ui/data-table.ts'
import { QuestionDialog } from '../../ui/dialogs.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { deliveriesQuery, stateNames, useWebhookChange } from './webhooks.ts'

interface Actions {
  nowMs: number
  onOpen: (delivery: WebhookDelivery) => void
}

const columns: readonly PageColumn<WebhookDelivery, Actions>[] = [
  textColumn('type', 'Event', 200, ({ type }) => type),
  textColumn('state', 'State', 100, ({ state }) => stateNames[state]),
  {
    key: 'actions',
    header: 'Actions',
    widthPx: 110,
    cell: (delivery, { onOpen }) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Details of ${delivery.type}, ${formatExactTime(delivery.createdAt)}`}
        onClick={() => onOpen(delivery)}
      >
        Details
      </Button>
    ),
  },
  {
    key: 'occurred',
    header: 'Happened',
    widthPx: 120,
    cell: ({ occurredAt }, { nowMs }) => <TimeAgo at={occurredAt} nowMs={nowMs} />,
  },
  { key: 'attempts', header: 'Tries', widthPx: 80, align: 'right', cell: ({ attempts }) => formatCount(attempts) },
  {
    key: 'response',
    header: 'Response',
    widthPx: 100,
    align: 'right',
    cell: ({ responseStatus }) => responseStatus ?? '-',
  },
  {
    key: 'problem',
    header: 'Problem',
    widthPx: 320,
    cell: ({ problem }) => <span title={problem ?? undefined}>{problem ?? '-'}</span>,
  },
]

/** The deliveries of a webhook, with their actions. */
export function WebhookDeliveries({ webhook, nowMs }: { webhook: Webhook; nowMs: number }) {
  const { id, name, pausedAt, pauseReason } = webhook
  const [state, setState] = useState<WebhookDelivery['state']>()
  const list = useInfiniteQuery(deliveriesQuery(id, state))
  const [opened, setOpened] = useState<string>()
  const [question, setQuestion] = useState<'rotate' | 'remove'>()
  const [secret, setSecret] = useState<string>()
  const test = useWebhookChange(() => call(webhooks.test, { id }))
  const pause = useWebhookChange(
    () => call(webhooks.setPaused, { id, paused: pausedAt === null }),
    pausedAt ? 'The webhook is resumed.' : 'The webhook is paused.',
  )
  const rotate = useWebhookChange(() => call(webhooks.rotateSecret, { id }))
  const remove = useWebhookChange(() => call(webhooks.remove, { id }), `The webhook “${name}” is deleted.`)
  const close = () => setQuestion(undefined)
  return (
    <Stack gap="sm" mt="lg" component="section" aria-label={`Deliveries of ${name}`}>
      <Title order={2} style={{ overflowWrap: 'anywhere' }}>
        Deliveries of {name}
      </Title>
      {pauseReason && (
        <Alert color="blue" title="Paused">
          {pauseReason} What happens meanwhile waits for three days.
        </Alert>
      )}
      <Group gap="xs">
        <Button
          variant="default"
          loading={test.isPending}
          onClick={() => test.mutate(undefined, { onSuccess: ({ deliveryId }) => setOpened(deliveryId) })}
        >
          Send Test
        </Button>
        <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate(undefined)}>
          {pausedAt ? 'Resume' : 'Pause'}
        </Button>
        <Button variant="default" onClick={() => setQuestion('rotate')}>
          New Secret
        </Button>
        <Button variant="default" onClick={() => setQuestion('remove')}>
          Delete
        </Button>
      </Group>
      {list.isError && !list.data && <Alert color="red">{getErrorMessage(list.error)}</Alert>}
      <SegmentedControl
        aria-label="State"
        style={{ alignSelf: 'flex-start' }}
        value={state ?? 'all'}
        onChange={(value) => setState(value === 'all' ? undefined : (value as WebhookDelivery['state']))}
        data={[
          { value: 'all', label: 'All' },
          ...Object.entries(stateNames).map(([value, label]) => ({ value, label })),
        ]}
      />
      <DataTable
        label="Deliveries"
        columns={bindColumns(columns, { nowMs, onOpen: (delivery) => setOpened(delivery.id) })}
        rows={list.data?.pages.flatMap(({ deliveries }) => deliveries)}
        rowKey={({ id }) => id}
        empty={state === undefined ? 'Nothing was sent yet.' : 'No deliveries here.'}
        onEnd={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
      />
      {list.hasNextPage && (
        <Text size="xs" c="var(--quiet)" role="status">
          {list.isFetchingNextPage ? 'Loading more…' : 'More below'}
        </Text>
      )}
      {opened && <DeliveryDialog id={id} deliveryId={opened} onClose={() => setOpened(undefined)} />}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
      <QuestionDialog
        title="New Secret"
        opened={question === 'rotate'}
        pending={rotate.isPending}
        action="Create Secret"
        onConfirm={() => rotate.mutate(undefined, { onSuccess: (done) => setSecret(done.secret), onSettled: close })}
        onClose={close}
      >
        For 24 hours events are signed with the present secret too. Change the receiver meanwhile.
      </QuestionDialog>
      <QuestionDialog
        title="Delete Webhook"
        opened={question === 'remove'}
        pending={remove.isPending}
        action="Delete"
        isDangerous
        onConfirm={() => remove.mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        “{name}” gets no more events, and the list of its deliveries is deleted.
      </QuestionDialog>
    </Stack>
  )
}
