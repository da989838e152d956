import { useQuery } from '@tanstack/react-query'
import { plans } from '#contract/plans.ts'
import { call } from '../../api.ts'
import { ForecastMark } from './ForecastMark.tsx'
import classes from './LineForecast.module.css'

/** Whether the data of a line, or of its pool, will last. Renders nothing while that is unknown. */
export function LineForecast({ nickname }: { nickname: string }) {
  const { data } = useQuery({
    queryKey: ['line outlook', nickname],
    queryFn: ({ signal }) => call(plans.lineOutlook, { nickname }, signal),
    staleTime: 5 * 60_000,
  })
  if (!data) return null
  return (
    <dl className={classes.forecast}>
      {data.pool_forecast && (
        <div>
          <dt>The pool’s data</dt>
          <dd>
            <ForecastMark forecast={data.pool_forecast} />
          </dd>
        </div>
      )}
      <div>
        <dt>{data.pool_forecast ? 'This line’s own data' : 'Forecast'}</dt>
        <dd>
          <ForecastMark forecast={data.forecast} />
        </dd>
      </div>
    </dl>
  )
}
