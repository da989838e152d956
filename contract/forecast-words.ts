import type { Forecast, KnownForecast } from './forecast.ts'
import { formatCount, formatPercent } from './format/numbers.ts'
import { formatDay, formatDaySpan } from './format/times.ts'
import { formatWholeGb } from './format/units.ts'

export type Outlook = 'reached' | 'likely' | 'possible' | 'lasts' | 'unknown'

/** '70%'. Never 0% or 100%: a forecast is not certain, however clear the figures are. */
export const formatOdds = (probability: number) =>
  probability > 0.99 ? 'over 99%' : probability < 0.01 ? 'under 1%' : formatPercent(probability * 100)

const describeKnownForecast = (forecast: KnownForecast): { outlook: Outlook; text: string } => {
  const { probability, earliest, latest, reached } = forecast
  if (reached) return { outlook: 'reached', text: 'Limit reached' }
  if (earliest === null) return { outlook: 'lasts', text: 'Will last until the cycle ends' }
  if (latest !== null) return { outlook: 'likely', text: `Likely to run out ${formatDaySpan(earliest, latest)}` }
  const after = `not before ${formatDay(earliest)} (${formatOdds(probability)})`
  return probability >= 0.5
    ? { outlook: 'likely', text: `Likely to run out, ${after}` }
    : { outlook: 'possible', text: `May run out, ${after}` }
}

/** A forecast in one line. */
export function describeForecast(forecast: Forecast): { outlook: Outlook; text: string } {
  if (forecast.known) return describeKnownForecast(forecast)
  const { reason, days, days_needed } = forecast
  const text = {
    'too few days': `Not enough is known yet: ${days} of ${days_needed} days`,
    'no use': 'No use lately to go by',
    'no limit': 'No limit to run out of',
    'cycle over': 'Waiting for figures of the new cycle',
  }[reason]
  return { outlook: 'unknown', text }
}

/** The expected amount and its 80% interval. */
export const formatBand = ({ expected_GB, low_GB, high_GB }: KnownForecast) =>
  `About ${formatWholeGb(expected_GB)} by the end of the cycle; 80% likely between ${formatCount(low_GB)} and ${formatWholeGb(high_GB)}.`
