import { Alert, Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DeliveryDetail } from '#contract/deliveries.ts'
import { formatCount } from '#contract/format/numbers.ts'
import { formatExactTime } from '#contract/format/times.ts'
import { getErrorMessage } from '../../api.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { deliveryQuery, hindranceWords, stateNames, useResend } from './deliveries.ts'
import classes from './MessageDialog.module.css'

interface MessageDialogProps {
  messageId: string
  onOpen: (messageId: string) => void
  onClose: () => void
}

/** One message: its recipient, content, delivery state and copies. */
export function MessageDialog({ messageId, onOpen, onClose }: MessageDialogProps) {
  const { data, error } = useQuery(deliveryQuery(messageId))
  const resend = useResend(messageId)
  return (
    <Dialog onClose={onClose} title={data?.channel === 'sms' ? 'SMS' : 'Email'} centered size="lg">
      <Stack gap="sm">
        {error && !data && <Alert color="red">{getErrorMessage(error)}</Alert>}
        {!error && !data && <Skeleton height={200} />}
        {data && <Facts facts={listFacts(data)} />}
        {data?.resendOf && (
          <Text>
            A copy of{' '}
            <Anchor component="button" type="button" onClick={() => onOpen(data.resendOf as string)}>
              an earlier message
            </Anchor>
            , sent again by an administrator.
          </Text>
        )}
        {data?.body && (
          <>
            <Text fw={600}>Text</Text>
            <pre className={classes.body}>{data.body}</pre>
          </>
        )}
        {data && data.resends.length > 0 && <Resends resends={data.resends} onOpen={onOpen} />}
        {data?.hindrance && <Text c="var(--quiet)">{hindranceWords[data.hindrance]}</Text>}
        <Group justify="flex-end">
          <Button
            variant="default"
            h="var(--touch)"
            disabled={!data || data.hindrance !== null}
            title={data?.hindrance ? hindranceWords[data.hindrance] : undefined}
            loading={resend.isPending}
            onClick={() => resend.mutate()}
          >
            Send Again
          </Button>
          <Button h="var(--touch)" onClick={onClose} data-autofocus>
            Close
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

const listFacts = ({ recipient, subject, channel, state, attempts, problem, ...times }: DeliveryDetail) =>
  [
    { name: 'To', value: recipient },
    { name: 'Subject', value: channel === 'email' ? subject : null },
    { name: 'State', value: stateNames[state] },
    { name: 'Tries', value: formatCount(attempts) },
    { name: 'Written', value: formatExactTime(times.createdAt) },
    { name: 'Finished', value: times.finishedAt && formatExactTime(times.finishedAt) },
    { name: 'Next try', value: times.nextAttemptAt && formatExactTime(times.nextAttemptAt) },
    { name: 'Useless after', value: times.expiresAt && formatExactTime(times.expiresAt) },
    { name: 'Problem', value: problem },
  ].filter(({ value }) => value !== null)

interface ResendsProps {
  resends: DeliveryDetail['resends']
  onOpen: (messageId: string) => void
}

function Resends({ resends, onOpen }: ResendsProps) {
  return (
    <>
      <Text fw={600}>Sent again</Text>
      <ul className={classes.resends}>
        {resends.map(({ id, state, createdAt }) => (
          <li key={id}>
            <Anchor component="button" type="button" onClick={() => onOpen(id)}>
              {formatExactTime(createdAt)}
            </Anchor>
            : {stateNames[state]}
          </li>
        ))}
      </ul>
    </>
  )
}
