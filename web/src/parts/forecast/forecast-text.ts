import type { Forecast, KnownForecast } from '#contract/forecast.ts'

/** Days are the vendor's, in UTC, so they are written in UTC wherever the reader is. */
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

const splitDay = (day: string) => {
  const [date, month] = dayMonth.format(new Date(`${day}T00:00:00Z`)).split(' ') as [string, string]
  return { date, month }
}

/** '21 Nov' */
export const formatDay = (day: string) => {
  const { date, month } = splitDay(day)
  return `${date} ${month}`
}

/** 'between 21 and 24 Nov', 'between 28 Nov and 2 Dec', 'on 21 Nov' */
const formatDaySpan = (from: string, to: string) => {
  if (from === to) return `on ${formatDay(from)}`
  const [first, last] = [splitDay(from), splitDay(to)]
  return first.month === last.month
    ? `between ${first.date} and ${formatDay(to)}`
    : `between ${formatDay(from)} and ${formatDay(to)}`
}

export type Outlook = 'reached' | 'likely' | 'possible' | 'lasts' | 'unknown'

const percent = (share: number) => `${Math.round(share * 100)} %`

const describeKnownForecast = (forecast: KnownForecast): { outlook: Outlook; text: string } => {
  const { probability, earliest, latest, reached } = forecast
  if (reached) return { outlook: 'reached', text: 'Limit reached' }
  if (earliest === null) return { outlook: 'lasts', text: 'Will last until the cycle ends' }
  if (latest !== null) return { outlook: 'likely', text: `Likely to run out ${formatDaySpan(earliest, latest)}` }
  const after = `not before ${formatDay(earliest)} (${percent(probability)})`
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

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

export const formatGb = (gb: number) => `${whole.format(gb)} GB`

/** The expected amount and its 80 % interval. */
export const formatBand = ({ expected_GB, low_GB, high_GB }: KnownForecast) =>
  `About ${formatGb(expected_GB)} by the end of the cycle; 80 % likely between ${whole.format(low_GB)} and ${formatGb(high_GB)}.`
