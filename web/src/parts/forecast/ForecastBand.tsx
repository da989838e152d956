import type { Forecast } from '#contract/forecast.ts'
import { formatBand } from '#contract/forecast-words.ts'
import classes from './ForecastBand.module.css'

interface ForecastBandProps {
  forecast: Forecast
  limitGb: number
  usedGb: number
}

/** So that a limit at the end of the bar is seen. */
const ROOM = 1.05

/** How much will be used by the end of the cycle, as a band on a bar that reaches beyond the limit; nothing where that is not known. */
export function ForecastBand({ forecast, limitGb, usedGb }: ForecastBandProps) {
  if (!forecast.known || limitGb <= 0) return null
  const { low_GB, high_GB, expected_GB } = forecast
  const full = Math.max(limitGb, high_GB, usedGb) * ROOM
  const share = (gb: number) => `${(100 * gb) / full}%`
  return (
    <div className={classes.bar} role="img" aria-label={formatBand(forecast)} title={formatBand(forecast)}>
      <span className={classes.used} style={{ width: share(usedGb) }} />
      <span className={classes.band} style={{ left: share(low_GB), width: share(Math.max(0, high_GB - low_GB)) }} />
      <span className={classes.expected} style={{ left: share(expected_GB) }} />
      <span className={classes.limit} style={{ left: share(limitGb) }} />
    </div>
  )
}
