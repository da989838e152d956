import { formatAge, formatExactTime } from '../../ui/age.ts'
import { useNow } from '../../ui/use-now.ts'
import classes from './LiveBadge.module.css'
import type { Feed } from './live.ts'

const labels: Record<Feed['state'], string> = { connecting: 'Connecting', live: 'Live', paused: 'Paused' }

/** Whether changes arrive, and how old the newest sample is. */
export function LiveBadge({ feed }: { feed: Feed }) {
  const now = useNow(1000)
  const { state, newestAtMs } = feed
  return (
    <span
      className={classes.badge}
      data-state={state}
      title={newestAtMs === null ? undefined : `Newest sample: ${formatExactTime(new Date(newestAtMs))}`}
    >
      <span className={classes.dot} aria-hidden="true" />
      <span>
        <span role="status">{labels[state]}</span>
        {newestAtMs !== null && ` · ${formatAge(newestAtMs, now)}`}
      </span>
    </span>
  )
}
