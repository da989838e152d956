import { Skeleton, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatCounted } from '#contract/format/numbers.ts'
import { formatMoment } from '#contract/format/times.ts'
import type { Profile } from '#contract/profile.ts'
import { rehearsal, rehearsalDays } from '#contract/rehearsal.ts'
import { call } from '../../api.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { Card } from './Card.tsx'
import classes from './ProfilePage.module.css'
import { ShortList } from './ShortList.tsx'

const settledMs = 400

interface RehearsalProps {
  known: Profile
  /** The selection on the page, saved or not. */
  chosen: ReadonlySet<string>
}

/** What the settings on this page would have sent, so that users can check them before they get messages at night. */
export function Rehearsal({ known, chosen }: RehearsalProps) {
  const settings = {
    enableNotification: known.enableNotification,
    enableSmsNotification: known.enableSmsNotification,
    statusChangeNotification: known.statusChangeNotification,
    dataUsageNotification: known.dataUsageNotification,
    warningNotification: known.warningNotification,
    selectedTerminalList: [...chosen],
    quietFrom: known.quietFrom,
    quietUntil: known.quietUntil,
    timeZone: known.timeZone,
    smsDailyLimit: known.smsDailyLimit,
  }
  const hasWay = known.enableNotification || known.enableSmsNotification
  const isAsking =
    hasWay &&
    [known.statusChangeNotification, known.dataUsageNotification, known.warningNotification].some(Boolean) &&
    chosen.size > 0
  const [input] = useDebouncedValue(JSON.stringify(settings), settledMs)
  const sent = useQuery({
    queryKey: ['rehearsal', input],
    queryFn: ({ signal }) => call(rehearsal.run, JSON.parse(input), signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return (
    <Card title={`What this would have sent in the last ${rehearsalDays} days`}>
      {sent.isPending && <Skeleton height={48} />}
      {sent.isError && !sent.data && <QueryFailure what="The rehearsal could not be made." query={sent} />}
      {sent.data && (
        <>
          <Text fw={600} role="status">
            {formatCounted(sent.data.emails, 'email')} and {formatCounted(sent.data.texts, 'text')}
          </Text>
          {sent.data.messages.length === 0 ? (
            <Text className={classes.quiet}>
              {isAsking
                ? 'Nothing would have been sent: nothing of the kind happened, or not for long enough.'
                : 'Nothing would have been sent. Choose how to be notified, about what, and for which terminals.'}
            </Text>
          ) : (
            <ShortList
              label="Messages"
              total={sent.data.emails + sent.data.texts}
              rows={sent.data.messages.map(({ at, channel, subject }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a rehearsed message has no name, and the list is always replaced as a whole
                <li key={place}>
                  <div>
                    {subject}
                    <Text size="xs" className={classes.quiet}>
                      {channel === 'sms' ? 'SMS' : 'Email'} · {formatMoment(at)}
                    </Text>
                  </div>
                </li>
              ))}
            />
          )}
        </>
      )}
    </Card>
  )
}
