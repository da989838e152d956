import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Pool, topUpBucketGb } from '#contract/plans.ts'
import { ForecastMark } from '../../parts/forecast/ForecastMark.tsx'
import { describeForecast, formatBand, formatDay } from '../../parts/forecast/forecast-text.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Crossings } from './Crossings.tsx'
import { LineShares } from './LineShares.tsx'
import classes from './PoolOutlook.module.css'
import { outlookQuery } from './pools.ts'
import { UsageBar } from './UsageBar.tsx'

/** The usage of a pool, its forecast, and the actions taken at the limit. */
export function PoolOutlook({ pool }: { pool: Pool }) {
  const outlook = useQuery(outlookQuery(pool.virtual_plan_id))
  const nowMs = useNow(30_000)
  const { forecast } = pool
  return (
    <section className={classes.outlook} aria-label="Usage and forecast">
      <UsageBar usedGb={pool.current_usage} limitGb={pool.total_limit} />
      <Text size="xs" c="var(--quiet)">
        Billing cycle from {formatDay(pool.cycle_start)} until {formatDay(pool.cycle_end)}, in UTC days
        {pool.measured_at && (
          <>
            ; figures of <TimeAgo at={pool.measured_at} nowMs={nowMs} />
          </>
        )}
      </Text>
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
              With one more bucket of {topUpBucketGb} GB: {lowerFirst(describeForecast(outlook.data.with_bucket).text)}.
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
