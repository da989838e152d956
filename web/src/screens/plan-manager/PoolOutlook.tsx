import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { describeForecast, formatBand } from '#contract/forecast-words.ts'
import { formatCount, formatCounted, formatPercent } from '#contract/format/numbers.ts'
import { formatDay } from '#contract/format/times.ts'
import { formatGb, formatWholeGb } from '#contract/format/units.ts'
import { type Crossing, type Pool, topUpBucketGb } from '#contract/plans.ts'
import { ForecastBand } from '../../parts/forecast/ForecastBand.tsx'
import { ForecastMark } from '../../parts/forecast/ForecastMark.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import { describeOrders } from './crossing-words.ts'
import { LineShares } from './LineShares.tsx'
import classes from './PoolOutlook.module.css'
import { outlookQuery } from './pools.ts'

/** The usage of a pool, its forecast, and the actions taken at the limit. */
export function PoolOutlook({ pool }: { pool: Pool }) {
  const outlook = useQuery(outlookQuery(pool.virtual_plan_id))
  const nowMs = useNow(30_000)
  const { forecast } = pool
  return (
    <section className={classes.outlook} aria-label="Usage and forecast">
      <p className={classes.figure}>
        <b>{formatCount(pool.current_usage)}</b> of {formatWholeGb(pool.total_limit)}
        {pool.total_limit > 0 && <span>{formatPercent((pool.current_usage / pool.total_limit) * 100)}</span>}
      </p>
      <Text size="xs" c="var(--quiet)">
        Billing cycle from {formatDay(pool.cycle_start)} until {formatDay(pool.cycle_end)}, in UTC days
        {pool.measured_at && (
          <>
            ; figures of <TimeAgo at={pool.measured_at} nowMs={nowMs} />
          </>
        )}
      </Text>
      <ForecastBand forecast={forecast} limitGb={pool.total_limit} usedGb={pool.current_usage} />
      <ForecastMark forecast={forecast} />
      {forecast.known && (
        <Text size="xs" c="var(--quiet)">
          {formatBand(forecast)}
        </Text>
      )}
      {outlook.data && (
        <>
          {outlook.data.with_bucket.known && (
            <Text size="xs" c="var(--quiet)">
              With one more bucket of {formatGb(topUpBucketGb)}:{' '}
              {lowerFirst(describeForecast(outlook.data.with_bucket).text)}.
            </Text>
          )}
          <LineShares lines={outlook.data.lines} />
          <Crossings crossings={outlook.data.crossings} nowMs={nowMs} />
        </>
      )}
    </section>
  )
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

interface CrossingsProps {
  crossings: readonly Crossing[]
  nowMs: number
}

/** Each time the limit was reached, and the actions taken. */
function Crossings({ crossings, nowMs }: CrossingsProps) {
  if (crossings.length === 0) return null
  return (
    <details className={classes.details} open={crossings.some(({ ended_at }) => ended_at === null)}>
      <summary>Limit reached {crossings.length === 1 ? 'once' : formatCounted(crossings.length, 'time')}</summary>
      <ul className={classes.crossings}>
        {crossings.map((crossing) => (
          <li key={crossing.at.getTime() + crossing.limit_GB}>
            <TimeAgo at={crossing.at} nowMs={nowMs} />: {formatWholeGb(crossing.limit_GB)}, {crossing.behavior}.{' '}
            {crossing.bucket_GB !== null && `${formatWholeGb(crossing.bucket_GB)} were added. `}
            {describeOrders(crossing.orders)}
          </li>
        ))}
      </ul>
    </details>
  )
}
