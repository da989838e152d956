import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isMostlyObserved } from '#contract/availability.ts'
import type { ExecutiveMonths } from '#contract/executive.ts'
import type { MonthTotal } from '#contract/executive-sums.ts'
import { formatChange, formatCount, formatCounted, formatPercentDown, formatUsd } from '#contract/format/numbers.ts'
import { Sparkline } from '../../ui/Sparkline.tsx'
import classes from './MonthSection.module.css'
import { hideUnknown, listDailyGb, monthAvailabilityQuery } from './months.ts'

interface MonthFiguresProps {
  months: ExecutiveMonths
  total: MonthTotal
}

/** The last of the months. */
const formatKnown = (values: readonly (number | null)[], format: (value: number) => string) => {
  const value = values.at(-1) ?? null
  return value === null ? '-' : format(value)
}

/** The month in three figures with their trend. */
export function MonthFigures({ months, total }: MonthFiguresProps) {
  const available = useQuery(monthAvailabilityQuery(months.month))
  const { comparedGb, beforeGb, lines, unpricedLines } = total
  const unpriced = unpricedLines.at(-1) ?? 0
  const { total: figures, observedPercent = null } = available.data ?? {}
  const isKnown = isMostlyObserved(observedPercent)
  const dataGb = hideUnknown(total.dataGb, months)
  const priceUsd = hideUnknown(total.priceUsd, months)
  return (
    <dl className={classes.figures}>
      <Figure
        name="Data"
        value={formatKnown(dataGb, formatCount)}
        unit="GB"
        trend={listDailyGb(total.dataGb, months, comparedGb)}
        note={
          beforeGb > 0 && months.comparedDays > 0
            ? `${formatChange(comparedGb / beforeGb - 1)} against the same ${formatCounted(months.comparedDays, 'day')} of the month before`
            : 'Nothing to compare with'
        }
      />
      <Figure
        name="Spend"
        value={formatKnown(priceUsd, formatUsd)}
        unit="estimated"
        trend={priceUsd}
        note={
          priceUsd.at(-1) == null
            ? 'Nothing is stored about this month'
            : `${formatCounted(lines.at(-1) ?? 0, 'line')}${unpriced > 0 ? `, ${formatCount(unpriced)} of them without a price in US dollars` : ''}`
        }
      />
      <Figure
        name="Availability of all terminals"
        value={isKnown && figures?.percent != null ? formatPercentDown(figures.percent, 2) : '-'}
        note={
          figures
            ? figures.percent === null
              ? 'Nothing was observed'
              : isKnown
                ? formatCounted(figures.outages, 'outage')
                : `Only ${formatPercentDown(observedPercent ?? 0, 1)} was observed`
            : available.isError
              ? 'It could not be measured.'
              : 'Measuring…'
        }
      />
    </dl>
  )
}

interface FigureProps {
  name: string
  value: string
  unit?: string
  trend?: readonly (number | null)[]
  note: ReactNode
}

function Figure({ name, value, unit, trend, note }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={classes.value}>
          {value}
          {unit && value !== '-' && <small>{unit}</small>}
        </span>
        {trend && (
          <Sparkline values={trend.slice(trend.findIndex((each) => each !== null))} className={classes.trend} />
        )}
        <div className={classes.note}>{note}</div>
      </dd>
    </div>
  )
}
