import type { Forecast } from '#contract/forecast.ts'
import { describeForecast, formatBand, type Outlook } from '#contract/forecast-words.ts'
import classes from './ForecastMark.module.css'

const shapes: Record<Outlook, string> = {
  reached: 'M2 2h8v8H2Z',
  likely: 'M6 1 11.5 11H.5Z',
  possible: 'M6 0 12 6 6 12 0 6Z',
  lasts: 'M6 1a5 5 0 1 0 0 10A5 5 0 1 0 6 1Z',
  unknown: 'M2 5.2h8v1.6H2Z',
}

/** Whether data will last, as a shape and in words. */
export function ForecastMark({ forecast }: { forecast: Forecast }) {
  const { outlook, text } = describeForecast(forecast)
  return (
    <span className={classes.mark} data-outlook={outlook} title={forecast.known ? formatBand(forecast) : undefined}>
      <svg viewBox="0 0 12 12" className={classes.shape} aria-hidden="true">
        <path d={shapes[outlook]} fill="currentColor" />
      </svg>
      <span className={classes.text}>{text}</span>
    </span>
  )
}
