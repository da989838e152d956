import { Button, Title } from '@mantine/core'
import { formatCount } from '#contract/format/numbers.ts'
import { Pager } from '../../ui/Pager.tsx'
import { formatKnownLimit, formatLinePrice } from './figures.ts'
import classes from './PlanCards.module.css'
import type { NamedPlan } from './plans.ts'

interface PlanCardsProps {
  rows: readonly NamedPlan[]
  page: number
  pageCount: number
  onPage: (page: number) => void
  onOpen: (plan: NamedPlan) => void
}

export function PlanCards({ rows, page, pageCount, onPage, onOpen }: PlanCardsProps) {
  return (
    <section className={classes.cards} aria-label="Plan cards">
      <ul className={classes.grid}>
        {rows.map((plan) => (
          <li key={plan.key} className={classes.card}>
            <Title order={3} className={classes.name} title={plan.plan_name}>
              {plan.plan_name}
            </Title>
            <dl className={classes.facts}>
              <dt>Usage Limit</dt>
              <dd>{formatKnownLimit(plan.usage_limit)}</dd>
              <dt>Price</dt>
              <dd>{formatLinePrice(plan.price_usd)}</dd>
              <dt>Service Lines</dt>
              <dd>{formatCount(plan.service_lines.length)}</dd>
            </dl>
            <Button variant="default" onClick={() => onOpen(plan)} aria-label={`View details of ${plan.plan_name}`}>
              View details
            </Button>
          </li>
        ))}
      </ul>
      <Pager label="Pages of the cards" page={page} pageCount={pageCount} onPage={onPage} />
    </section>
  )
}
