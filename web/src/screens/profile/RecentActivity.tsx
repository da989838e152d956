import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatCounted } from '#contract/format/numbers.ts'
import type { SecurityEvent } from '#contract/security-events.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { nameEvent } from '../../parts/security-event-words.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Card } from './Card.tsx'
import classes from './ProfilePage.module.css'
import { ownActivityQuery } from './profile.ts'
import { ShortList } from './ShortList.tsx'

/** Sign-ins, failures and changes that concern the user's own account. */
export function RecentActivity() {
  const all = useQuery(ownActivityQuery)
  return (
    <Card title="Recent activity">
      {all.isError && !all.data && <QueryFailure what="Your activity could not be loaded." query={all} />}
      {all.isPending && <Skeleton height={64} />}
      {all.data?.length === 0 && <Text className={classes.quiet}>There is no activity yet.</Text>}
      {all.data && all.data.length > 0 && (
        <ShortList
          label="Recent activity"
          rows={all.data.map((event) => <ActivityRow key={event.id} event={event} />)}
        />
      )}
    </Card>
  )
}

function ActivityRow({ event: { kind, count, account, actor, address, device, lastAt } }: { event: SecurityEvent }) {
  const nowMs = useNow(30_000)
  const places = [device, address, actor !== account && actor ? `by ${actor}` : ''].filter(Boolean)
  return (
    <li>
      <div>
        <Text fw={500}>{count > 1 ? `${nameEvent(kind)} (${formatCounted(count, 'time')})` : nameEvent(kind)}</Text>
        <Text size="xs" className={classes.quiet}>
          {places.map((place) => `${place} · `)}
          <TimeAgo at={lastAt} nowMs={nowMs} />
        </Text>
      </div>
    </li>
  )
}
