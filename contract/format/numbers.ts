// The product is in American English, so numbers look the same for every reader, whatever the browser's language.
const LOCALE = 'en-US'

const fixed = new Map<number, Intl.NumberFormat>()

/** '2,014.23': a fixed number of decimals, so that columns of figures line up. */
export const formatDecimal = (value: number, decimals = 2) => {
  let format = fixed.get(decimals)
  if (!format) {
    format = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
    fixed.set(decimals, format)
  }
  return format.format(value)
}

/** '1,200', for counts and for amounts whose decimals do not matter. */
export const formatCount = (count: number) => formatDecimal(count, 0)

/** '1 terminal', '1,200 terminals'. */
export const formatCounted = (count: number, noun: string, nouns = `${noun}s`) =>
  `${formatCount(count)} ${count === 1 ? noun : nouns}`

const short = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 })

/** '120' or '120.5', for sentences. */
export const formatShort = (value: number) => short.format(value)

/** '99,999', '123.5K', '12.3M', where there is no room for more. */
export const formatCompact = (value: number) => {
  if (value < 99_999.5) return formatCount(value)
  return value < 999_950 ? `${formatShort(value / 1000)}K` : `${formatShort(value / 1_000_000)}M`
}

/** '248.67%', from a percentage. */
export const formatPercent = (percent: number, decimals = 0) => `${formatDecimal(percent, decimals)}%`

/** '99.98%', rounded down, so that 100% means all. */
export const formatPercentDown = (percent: number, decimals: number) => {
  const factor = 10 ** decimals
  // 64.1 * 100 is 6409.999999999999.
  return formatPercent(Math.floor(percent * factor + 1e-6) / factor, decimals)
}

/** '99.50%', '99.999%': what was promised is not rounded. */
export const formatTarget = (percent: number) =>
  formatPercent(percent, Math.max(2, String(percent).split('.')[1]?.length ?? 0))

const change = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })

const smallChange = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

/** '+12%', '−3%' or '+0.4%', from a fraction. */
export const formatChange = (fraction: number) =>
  (Math.abs(fraction) < 0.005 && fraction !== 0 ? smallChange : change).format(fraction).replace('-', '−')

const dollars = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' })

export const formatUsd = (usd: number) => dollars.format(usd)
