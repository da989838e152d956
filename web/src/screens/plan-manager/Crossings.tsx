import type { Crossing } from '#contract/plans.ts'
import { gbText } from '../../parts/forecast/forecast-words.ts'
import { Moment } from '../../ui/Moment.tsx'
import { ordersText } from './crossing-words.ts'
import classes from './PoolOutlook.module.css'

interface CrossingsProps {
  crossings: readonly Crossing[]
  nowMs: number
}

/** Each time the limit was reached, and what was done. */
export function Crossings({ crossings, nowMs }: CrossingsProps) {
  if (crossings.length === 0) return null
  return (
    <details className={classes.details} open={crossings.some(({ ended_at }) => ended_at === null)}>
      <summary>Limit reached {crossings.length === 1 ? 'once' : `${crossings.length} times`}</summary>
      <ul className={classes.crossings}>
        {crossings.map((crossing) => (
          <li key={crossing.at.getTime() + crossing.limit_GB}>
            <Moment at={crossing.at} nowMs={nowMs} />: {gbText(crossing.limit_GB)}, {crossing.behavior}.{' '}
            {crossing.bucket_GB !== null && `${gbText(crossing.bucket_GB)} were added. `}
            {ordersText(crossing.orders)}
          </li>
        ))}
      </ul>
    </details>
  )
}
