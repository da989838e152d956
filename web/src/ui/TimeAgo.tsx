import { formatAge } from '#contract/format/durations.ts'
import { formatExactTime } from '#contract/format/times.ts'

interface TimeAgoProps {
  at: Date
  nowMs: number
}

/** The age, with the exact time and zone on hover or focus. */
export function TimeAgo({ at, nowMs }: TimeAgoProps) {
  return (
    <time dateTime={at.toISOString()} title={formatExactTime(at)}>
      {formatAge(at.getTime(), nowMs)}
    </time>
  )
}
