import { Title } from '@mantine/core'
import type { ExecutiveMonths } from '#contract/executive.ts'
import { findPartStart } from '#contract/executive-sums.ts'
import { formatCompact, formatUsd } from '#contract/format/numbers.ts'
import { formatDay, formatShortMonth } from '#contract/format/times.ts'
import { formatGb } from '#contract/format/units.ts'
import classes from './MonthSection.module.css'
import { hideUnknown } from './months.ts'

interface MonthBarsProps {
  title: string
  months: ExecutiveMonths
  values: readonly number[]
  kind: 'data' | 'price'
}

// Short and with the unit in the title, a number fits above its bar on a phone.
const formats = { data: formatCompact, price: (usd: number) => `$${formatCompact(usd)}` }
const exactFormats = { data: formatGb, price: formatUsd }

/** A bar with its number for each month. */
export function MonthBars({ title, months, values, kind }: MonthBarsProps) {
  const known = hideUnknown(values, months)
  const most = Math.max(...known.map((value) => value ?? 0), Number.MIN_VALUE)
  return (
    <div className={classes.part}>
      <Title order={4} size="h5">
        {title} {kind === 'data' && <span className={classes.quiet}>GB</span>}
      </Title>
      <ol className={classes.bars} aria-label={title}>
        {months.months.map((month, at) => {
          const value = known[at] ?? null
          const firstDay = months.firstDays[at]
          const start = kind === 'data' ? findPartStart(firstDay) : undefined
          return (
            <li key={month}>
              <span title={value === null ? undefined : exactFormats[kind](value)}>
                {value === null ? 'Not known' : formats[kind](value)}
              </span>
              <span className={classes.bar} aria-hidden="true">
                <span
                  data-unknown={value === null || undefined}
                  data-shown={month === months.month || undefined}
                  style={value === null ? undefined : { height: `${(value / most) * 100}%` }}
                />
              </span>
              <span className={classes.month}>
                {formatShortMonth(month)}
                {start && ` since ${formatDay(start)}`}
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
