import { formatAge } from '#contract/format/durations.ts'
import { formatExactTime } from '#contract/format/times.ts'

interface TimeAgoProps {
  at: Date
  nowMs: number
}

/** How long ago, with the exact time and zone for those who point at it or tab to it. */
export function TimeAgo({ at, nowMs }: TimeAgoProps) {
  return (
    <time dateTime={at.toISOString()} title={formatExactTime(at)}>
      {formatAge(at.getTime(), nowMs)}
    </time>
  )
}
