import { Skeleton } from '@mantine/core'
import classes from './PlanCards.module.css'

const cards = Array.from({ length: 12 }, (_, index) => `card ${index}`)

/** Twelve placeholder cards. */
export function PlansSkeleton() {
  return (
    <section aria-label="Plan cards" aria-busy="true">
      <span className="visually-hidden" role="status">
        Loading plans…
      </span>
      <ul className={classes.grid} data-testid="plans-skeleton">
        {cards.map((card) => (
          <li key={card} className={classes.card} aria-hidden="true">
            <Skeleton height={16} width="70%" />
            <Skeleton height={12} />
            <Skeleton height={12} />
            <Skeleton height={12} />
            <Skeleton height={36} />
          </li>
        ))}
      </ul>
    </section>
  )
}
