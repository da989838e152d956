import type { Forecast } from '#contract/forecast.ts'
import { formatBand } from '#contract/forecast-words.ts'
import classes from './ForecastBand.module.css'

interface ForecastBandProps {
  forecast: Forecast
  limitGb: number
  usedGb: number
}

/** Keeps a limit at the end of the bar visible. */
const ROOM = 1.05

/** The forecast usage at the end of the cycle, as a band on a bar that extends beyond the limit; nothing if unknown. */
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
