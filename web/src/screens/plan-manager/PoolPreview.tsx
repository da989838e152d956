import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatBand } from '#contract/forecast-words.ts'
import { type Pool, type PoolPreview as Preview, plans } from '#contract/plans.ts'
import { call, getErrorMessage } from '../../api.ts'
import { ForecastMark } from '../../parts/forecast/ForecastMark.tsx'
import classes from './PoolOutlook.module.css'
import { type PoolForm, toForm, toPreview } from './pool-form.ts'
import { UsageBar } from './UsageBar.tsx'

const settledMs = 400

/** How the form would change the forecast, updated while the user types. */
export function PoolPreview({ pool, form }: { pool: Pool | undefined; form: PoolForm }) {
  const wanted = JSON.stringify(toPreview(form, pool))
  const isChanged = wanted !== (pool && JSON.stringify(toPreview(toForm(pool), pool)))
  const [settled] = useDebouncedValue(wanted, settledMs)
  const input = settled === undefined ? undefined : (JSON.parse(settled) as ReturnType<typeof toPreview>)
  const preview = useQuery({
    queryKey: ['pools', 'preview', settled],
    queryFn: ({ signal }) => call(plans.preview, input as NonNullable<typeof input>, signal),
    enabled: isChanged && input !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return (
    <section className={classes.outlook} aria-label="With these changes" aria-busy={preview.isFetching}>
      <Text fw={600}>With these changes</Text>
      <div role="status" className={classes.preview}>
        {wanted === undefined ? (
          <Text c="var(--quiet)">Enter a usage limit to see how long it would last.</Text>
        ) : !isChanged ? (
          <Text c="var(--quiet)">Change the limit, the top-ups or the lines to see how long the data would last.</Text>
        ) : preview.data ? (
          <Effect preview={preview.data} />
        ) : (
          <Text c="var(--quiet)">
            {preview.isError ? `No preview: ${getErrorMessage(preview.error)}` : 'Calculating…'}
          </Text>
        )}
      </div>
    </section>
  )
}

function Effect({ preview: { used_GB, limit_GB, forecast } }: { preview: Preview }) {
  return (
    <>
      <UsageBar usedGb={used_GB} limitGb={limit_GB} />
      <ForecastMark forecast={forecast} />
      {forecast.known && (
        <Text size="xs" c="var(--quiet)">
          {formatBand(forecast)}
        </Text>
      )}
    </>
  )
}
