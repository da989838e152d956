import { Anchor, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatOdds } from '#contract/forecast-words.ts'
import { describeNoRisk, listPoolsAtRisk } from '#contract/pools-at-risk.ts'
import { ForecastMark } from '../../parts/forecast/ForecastMark.tsx'
import { poolsQuery } from '../../parts/pools-query.ts'
import classes from './MonthSection.module.css'

/** Pools whose data may not last until their cycle ends, with date and probability. Forecasts are always today's. */
export function PoolsAtRisk() {
  const pools = useQuery(poolsQuery)
  const atRisk = pools.data && listPoolsAtRisk(pools.data)
  return (
    <div className={classes.part}>
      <Title order={4} size="h5">
        Pools at risk today
      </Title>
      {pools.isPending && <Skeleton height={72} />}
      {pools.isError && !pools.data && <Text c="var(--quiet)">The pools could not be loaded.</Text>}
      {pools.data && atRisk?.length === 0 && <Text c="var(--quiet)">{describeNoRisk(pools.data)}</Text>}
      {atRisk && atRisk.length > 0 && (
        <ul className={classes.list} aria-label="Pools at risk today">
          {atRisk.map(({ id, name, forecast }) => (
            <li key={id}>
              <Anchor renderRoot={(props) => <Link to="/plan-manager/$pool" params={{ pool: id }} {...props} />}>
                {name}
              </Anchor>
              <span>
                <ForecastMark forecast={forecast} />
                {!forecast.reached && forecast.latest !== null && (
                  <span className={classes.note}> ({formatOdds(forecast.probability)})</span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
