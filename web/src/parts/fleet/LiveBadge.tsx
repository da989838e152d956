import { Link } from '@tanstack/react-router'
import { formatAge, formatDuration } from '#contract/format/durations.ts'
import { formatExactTime, formatMoment, formatRecent } from '#contract/format/times.ts'
import { BACK_MS, toAt } from '../../past-search.ts'
import { HistoryIcon } from '../../ui/icons.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { Freshness } from './freshness.ts'
import classes from './LiveBadge.module.css'

const labels: Record<Freshness['state'], string> = {
  connecting: 'Connecting',
  waiting: 'Waiting for data',
  live: 'Live',
  delayed: 'Delayed',
  disconnected: 'Disconnected',
  past: 'As of',
}

/** Whether changes arrive, and how old the newest sample is. */
export function LiveBadge({ freshness, onRetry }: { freshness: Freshness; onRetry: () => void }) {
  const now = useNow(1000)
  const { state, newestAtMs } = freshness
  return (
    <span
      className={classes.badge}
      data-state={state}
      title={newestAtMs === null ? undefined : `Newest sample: ${formatExactTime(new Date(newestAtMs))}`}
    >
      <span className={classes.dot} aria-hidden="true" />
      <span>
        <span role="status">{labels[state]}</span>
        {state === 'delayed' && newestAtMs !== null ? (
          <>
            {' · '}
            <span className={classes.wordy}>data is </span>
            {formatDuration(now - newestAtMs)} old
          </>
        ) : (
          formatDetail(freshness, now)
        )}
      </span>
      {state === 'disconnected' && (
        <button type="button" className={classes.retry} onClick={onRetry}>
          Retry
        </button>
      )}
      {state !== 'past' && (
        <Link
          to="."
          search={(before: object) => ({ ...before, at: toAt(Date.now() - BACK_MS) })}
          className={classes.travel}
          title="Go back in time…"
          aria-label="Go back in time…"
          preload={false}
        >
          <HistoryIcon />
        </Link>
      )}
    </span>
  )
}

const formatDetail = (freshness: Freshness, nowMs: number) => {
  const { state, newestAtMs } = freshness
  if (state === 'past') return ` ${formatMoment(freshness.atMs)}`
  if (state === 'disconnected') {
    const { sinceMs, asOfMs } = freshness
    return ` since ${formatRecent(sinceMs, nowMs)}${asOfMs === undefined ? '' : ` · as of ${formatRecent(asOfMs, nowMs)}`}`
  }
  if (newestAtMs === null) return ''
  const age = formatAge(newestAtMs, nowMs)
  // The ages of live data are short, so that a phone has room for one without a line break.
  return ` · ${state === 'live' ? age.replaceAll(' ', '\u{a0}') : age}`
}
