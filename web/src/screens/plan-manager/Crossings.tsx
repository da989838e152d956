import type { Crossing } from '#contract/plans.ts'
import { formatGb } from '../../parts/forecast/forecast-text.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { ordersText } from './crossing-words.ts'
import classes from './PoolOutlook.module.css'

interface CrossingsProps {
  crossings: readonly Crossing[]
  nowMs: number
}

/** Each time the limit was reached, and the actions taken. */
export function Crossings({ crossings, nowMs }: CrossingsProps) {
  if (crossings.length === 0) return null
  return (
    <details className={classes.details} open={crossings.some(({ ended_at }) => ended_at === null)}>
      <summary>Limit reached {crossings.length === 1 ? 'once' : `${crossings.length} times`}</summary>
      <ul className={classes.crossings}>
        {crossings.map((crossing) => (
          <li key={crossing.at.getTime() + crossing.limit_GB}>
            <TimeAgo at={crossing.at} nowMs={nowMs} />: {formatGb(crossing.limit_GB)}, {crossing.behavior}.{' '}
            {crossing.bucket_GB !== null && `${formatGb(crossing.bucket_GB)} were added. `}
            {ordersText(crossing.orders)}
          </li>
        ))}
      </ul>
    </details>
  )
}
