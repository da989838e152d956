import { Button, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { paginate } from '../../ui/paginate.ts'
import type { ExecutiveSearch } from './executive-search.ts'
import { formatKnownPrice, summarize } from './figures.ts'
import { planColumns } from './plan-columns.tsx'
import { formatScope, type NamedPlan } from './plans.ts'
import classes from './SummaryCard.module.css'

const rowsPerPage = 20

interface SummaryCardProps {
  plans: readonly NamedPlan[]
  leftOut: readonly string[]
  search: ExecutiveSearch
  onShow: (change: Partial<ExecutiveSearch>) => void
  onChoose: (change: Partial<ExecutiveSearch>) => void
  /** Between the totals and the plans. */
  children: ReactNode
}

/** The totals of the selected plans, and each plan as a row. */
export function SummaryCard({ plans, leftOut, search, onShow, onChoose, children }: SummaryCardProps) {
  const { subscriptions, terminals, priceUsd, unpricedLines, limits } = summarize(plans)
  const { page, pageCount, rows } = paginate(plans, rowsPerPage, search.page ?? 1)
  return (
    <section className={classes.card} aria-labelledby="summary-scope">
      <div className={classes.head}>
        <Title order={2} id="summary-scope" className={classes.scope}>
          {formatScope(search.org ?? [], search.customer ?? [])}
        </Title>
        <Button
          variant="default"
          onClick={() => onChoose({ desc: search.desc ? undefined : true })}
          aria-label={search.desc ? 'Sorted Z→A, sort A→Z' : 'Sorted A→Z, sort Z→A'}
        >
          {search.desc ? 'Z→A' : 'A→Z'}
        </Button>
      </div>
      <dl className={classes.figures}>
        <Figure name="Subscriptions" value={formatCount(subscriptions)} />
        <Figure name="Terminals" value={formatCount(terminals)} />
        <Figure name="Est. Price (USD)" value={formatKnownPrice(priceUsd)} />
      </dl>
      {limits.length > 0 && (
        <ul className={classes.chips} aria-label="Plans by usage limit">
          {limits.map(({ label, plans: count }) => (
            <li key={label} className={classes.chip}>
              <b>{label}</b>
              <span title={formatCounted(count, 'plan')}>{formatCount(count)}</span>
            </li>
          ))}
        </ul>
      )}
      {unpricedLines > 0 && (
        <Text size="xs" c="var(--quiet)">
          {unpricedLines === 1 ? 'One service line has' : `${formatCount(unpricedLines)} service lines have`} no price
          in US dollars and {unpricedLines === 1 ? 'is' : 'are'} left out of the estimate.
        </Text>
      )}
      <LeftOutNote names={leftOut} />
      {children}
      {plans.length > 0 && (
        <div className={classes.table}>
          <DataTable
            label="Plans"
            columns={planColumns}
            rows={rows}
            rowKey={({ key }) => key}
            empty="No plans match your filters"
          />
          <Pager
            label="Pages of the table"
            page={page}
            pageCount={pageCount}
            onPage={(next) => onShow({ page: next > 1 ? next : undefined })}
          />
        </div>
      )}
    </section>
  )
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div className={classes.figure}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

const maxNamed = 100

/** Reports how many plans are excluded because their names do not begin with an organization. */
function LeftOutNote({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  const subject = names.length === 1 ? 'One plan is' : `${formatCount(names.length)} plans are`
  return (
    <details className={classes.note}>
      <summary>{subject} left out: a name must begin with the organization in capital letters and a dash.</summary>
      <ul className={classes.names}>
        {names.slice(0, maxNamed).map((name, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list never changes in place
          <li key={place}>{name}</li>
        ))}
      </ul>
      {names.length > maxNamed && `and ${formatCount(names.length - maxNamed)} more`}
    </details>
  )
}
