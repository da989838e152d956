import { Button, Skeleton, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { describeDevice } from '#contract/device.ts'
import { type OwnSession, sessions } from '#contract/sessions.ts'
import { call, getErrorMessage } from '../../api.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { notice } from '../../ui/notice.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Card } from './Card.tsx'
import classes from './ProfilePage.module.css'
import { ownSessionsQuery } from './profile.ts'
import { ShortList } from './ShortList.tsx'

/** The user's sessions, each with a button to sign it out. */
export function SessionList() {
  const all = useQuery(ownSessionsQuery)
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: (sessionId: string | 'others') =>
      sessionId === 'others' ? call(sessions.endOthers, {}) : call(sessions.end, { sessionId }),
    onSuccess: ({ message }) => notice.success(message),
    onError: (error) => notice.error(getErrorMessage(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ownSessionsQuery.queryKey }),
  })
  const others = all.data?.filter(({ isThis }) => !isThis) ?? []
  return (
    <Card title="Where you are signed in">
      {all.isError && !all.data && <QueryFailure what="Your sessions could not be loaded." query={all} />}
      {all.isPending && <Skeleton height={64} />}
      {all.data && (
        <ShortList
          label="Sessions"
          rows={all.data.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              pending={end.isPending}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        />
      )}
      {others.length > 1 && (
        <Button variant="default" h="var(--touch)" loading={end.isPending} onClick={() => end.mutate('others')}>
          Sign out everywhere else
        </Button>
      )}
    </Card>
  )
}

function SessionRow({ session, pending, onEnd }: { session: OwnSession; pending: boolean; onEnd: () => void }) {
  const nowMs = useNow(30_000)
  const device = describeDevice(session.userAgent)
  return (
    <li>
      <div>
        <Text fw={500} title={session.userAgent}>
          {device}
        </Text>
        <Text size="xs" className={classes.quiet}>
          {session.address} · since <TimeAgo at={session.startedAt} nowMs={nowMs} />
        </Text>
      </div>
      {session.isThis ? (
        <Text className={classes.quiet}>This session</Text>
      ) : (
        <Button
          variant="default"
          h="var(--touch)"
          disabled={pending}
          onClick={onEnd}
          aria-label={`Sign out ${device} at ${session.address}`}
        >
          Sign out
        </Button>
      )}
    </li>
  )
}
