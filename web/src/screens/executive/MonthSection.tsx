import { NativeSelect, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { byCustomer, byOrganization, sumMonths } from '#contract/executive-sums.ts'
import { formatYearAndMonth } from '#contract/format/times.ts'
import { CsvButton } from '../../parts/csv/CsvButton.tsx'
import { saveCsv } from '../../parts/csv/save-csv.ts'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import type { ExecutiveSearch } from './executive-search.ts'
import { MonthBars } from './MonthBars.tsx'
import { MonthFigures } from './MonthFigures.tsx'
import classes from './MonthSection.module.css'
import { Moves } from './Moves.tsx'
import { chooseMonths, countNamed, listMonths, monthsQuery } from './months.ts'
import { monthCsvColumns } from './months-csv.ts'
import { PdfButton } from './PdfButton.tsx'
import { PoolsAtRisk } from './PoolsAtRisk.tsx'
import { ShareTable } from './ShareTable.tsx'

interface MonthSectionProps {
  search: ExecutiveSearch
  onShow: (change: Partial<ExecutiveSearch>) => void
}

/** A month: its figures, their history, the customers behind them, the largest changes, and pools at risk. */
export function MonthSection({ search, onShow }: MonthSectionProps) {
  const months = useQuery(monthsQuery(search.month, search.group))
  const { q = '', org, customer } = search
  const chosen = useMemo(
    () => months.data && chooseMonths(months.data.plans, { q, orgs: org ?? [], customers: customer ?? [] }),
    [months.data, q, org, customer],
  )
  if (months.isError && !months.data)
    return <QueryFailure what="The figures of the month could not be loaded." query={months} />
  if (!months.data || !chosen) return <MonthSkeleton />
  const { month, running, firstDays } = months.data
  const customers = byCustomer(chosen)
  const [total] = sumMonths(chosen, () => 'All')
  return (
    <section className={classes.section} aria-labelledby="month-title">
      <div className={classes.head}>
        <Title order={3} size="h4" id="month-title">
          {formatYearAndMonth(month)}
          {month === running && <span className={classes.quiet}> so far</span>}
        </Title>
        <div className={classes.actions}>
          <NativeSelect
            aria-label="Month"
            value={month}
            onChange={({ currentTarget: { value } }) => onShow({ month: value === running ? undefined : value })}
            data={listMonths(running).map((value) => ({ value, label: formatYearAndMonth(value) }))}
          />
          <CsvButton
            rows={chosen}
            onSave={(rows) => saveCsv(monthCsvColumns(months.data), rows, `executive-${month}.csv`)}
          />
          <PdfButton month={month} group={search.group} isFiltered={chosen.length < countNamed(months.data.plans)} />
        </div>
      </div>
      {total === undefined ? (
        <Text c="var(--quiet)">
          {countNamed(months.data.plans) === 0 ? 'No plans in this month.' : 'No plan that matches is in this month.'}
        </Text>
      ) : (
        <>
          <MonthFigures months={months.data} total={total} />
          <div className={classes.columns}>
            <MonthBars title="Data by month" months={months.data} values={total.dataGb} kind="data" />
            <MonthBars title="Spend by month" months={months.data} values={total.priceUsd} kind="price" />
          </div>
          {firstDays.at(-1) != null && (
            <div className={classes.columns}>
              <ShareTable title="By customer" totals={customers} />
              <ShareTable title="By organization" totals={byOrganization(chosen)} />
            </div>
          )}
          <div className={classes.columns}>
            <Moves months={months.data} totals={customers} />
            <PoolsAtRisk />
          </div>
        </>
      )}
      <Text size="xs" c="var(--quiet)">
        Data is counted in the vendor’s UTC days. Spend is estimated: each line with a billing cycle in the month at
        today’s price of its product, without top-ups. Lines count in the plan in which they are today.
      </Text>
    </section>
  )
}

/** A skeleton of the month: three figures, two charts. */
const MonthSkeleton = () => (
  <div className={classes.section} role="status" aria-label="Loading the month">
    <Skeleton height={28} width={220} />
    <div className={classes.figures}>
      {['data', 'spend', 'availability'].map((name) => (
        <Skeleton key={name} height={76} width="60%" />
      ))}
    </div>
    <div className={classes.columns}>
      <Skeleton height={160} />
      <Skeleton height={160} />
    </div>
  </div>
)
