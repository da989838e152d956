import { ageText, exactTime } from './age.ts'

interface MomentProps {
  at: Date
  nowMs: number
}

/** How long ago, with the exact time and zone for those who point at it or tab to it. */
export function Moment({ at, nowMs }: MomentProps) {
  return (
    <time dateTime={at.toISOString()} title={exactTime(at)}>
      {ageText(at.getTime(), nowMs)}
    </time>
  )
}
