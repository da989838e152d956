import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { formatExactTime } from '#contract/format/times.ts'
import { type WebhookAttempt, webhooks } from '#contract/webhooks.ts'
import { call, getErrorMessage } from '../../api.ts'
import { Copyable } from '../../ui/Copyable.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import classes from './DeliveryDialog.module.css'
import { deliveryQuery, stateNames, useWebhookChange } from './webhooks.ts'

const formatBody = (body: string) => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

interface DeliveryDialogProps {
  id: string
  deliveryId: string
  onClose: () => void
}

export function DeliveryDialog({ id, deliveryId, onClose }: DeliveryDialogProps) {
  const { data, error } = useQuery(deliveryQuery(id, deliveryId))
  const resend = useWebhookChange(() => call(webhooks.resend, { id, deliveryId }), 'The event is being sent again.')
  const facts = data
    ? [
        { name: 'State', value: stateNames[data.state] },
        { name: 'Id', value: <Copyable text={data.id} of="id" /> },
        { name: 'Happened', value: formatExactTime(data.occurredAt) },
        { name: 'Next try', value: data.nextAttemptAt && formatExactTime(data.nextAttemptAt) },
        // The current problem, even if nothing was attempted.
        { name: 'Problem', value: data.problem },
      ].filter(({ value }) => value !== null)
    : []
  return (
    <Dialog onClose={onClose} title={data?.type ?? 'Delivery'} centered size="lg">
      <Stack gap="sm">
        {error && !data && <Alert color="red">{getErrorMessage(error)}</Alert>}
        <Facts facts={facts} />
        {data?.body && <Text fw={600}>Sent</Text>}
        {data?.body && <pre className={classes.body}>{formatBody(data.body)}</pre>}
        {data && data.attemptLog.length > 0 && (
          <Attempts count={data.attempts} log={data.attemptLog} isWaiting={data.state === 'queued'} />
        )}
        <Group justify="flex-end">
          <Button
            variant="default"
            disabled={!data || data.state === 'queued'}
            title={data?.state === 'queued' ? 'It is still being sent' : undefined}
            loading={resend.isPending}
            onClick={() => resend.mutate(undefined)}
          >
            Send Again
          </Button>
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

const describeResult = ({ durationMs, responseStatus, problem }: WebhookAttempt, isUnderWay: boolean) => {
  if (durationMs === null) return isUnderWay ? 'under way' : 'interrupted'
  return `${responseStatus === null ? (problem ?? 'no response') : `Response ${responseStatus}`} after ${formatCount(durationMs)} ms`
}

/** The attempts, newest first. */
function Attempts({ count, log, isWaiting }: { count: number; log: WebhookAttempt[]; isWaiting: boolean }) {
  return (
    <>
      <Text fw={600}>{formatCounted(count, 'try', 'tries')}</Text>
      <ol className={classes.attempts} reversed start={count}>
        {log.map((attempt, index) => (
          <li key={attempt.startedAt.getTime()}>
            {formatExactTime(attempt.startedAt)}: {describeResult(attempt, isWaiting && index === 0)}
            {attempt.responseBody && (
              <details open={index === 0}>
                <summary>Received</summary>
                <pre className={classes.body}>{attempt.responseBody}</pre>
              </details>
            )}
          </li>
        ))}
      </ol>
      {log.length < count && <Text c="var(--quiet)">Older tries are not shown.</Text>}
    </>
  )
}
