import { forecast } from '#server/plans/forecast.ts'
import { extrapolate, simulatePools } from '#server/plans/testing/simulated-pools.ts'
import type { Figure } from './figures.ts'

const POOLS = 4_000

/** How often the 80 % band is right for simulated pools, and its error compared with a straight line. */
export const measureForecast = async (): Promise<Figure[]> => {
  const pools = simulatePools({ count: POOLS, seed: 1959 })
  const startedAt = performance.now()
  const forecasts = pools.map(({ use }) => forecast(use))
  const eachMs = (performance.now() - startedAt) / POOLS
  let held = 0
  let missed = 0
  let missedByLine = 0
  for (const [index, pool] of pools.entries()) {
    const one = forecasts[index]
    if (!one?.known) throw new Error('There was enough data for a forecast.')
    if (one.low_GB <= pool.total && pool.total <= one.high_GB) held++
    missed += Math.abs(one.expected_GB - pool.total) / pool.total
    missedByLine += Math.abs(extrapolate(pool) - pool.total) / pool.total
  }
  const percent = (sum: number) => (100 * sum) / POOLS
  return [
    { name: 'pools with their total inside the 80 % band', value: percent(held), unit: '%', atLeast: 75, atMost: 85 },
    { name: 'mean error of the forecast', value: percent(missed), unit: '%' },
    { name: 'mean error of a straight line', value: percent(missedByLine), unit: '%' },
    { name: 'error of the forecast to that of the line', value: missed / missedByLine, unit: 'ratio', atMost: 0.99 },
    { name: 'time of one forecast', value: eachMs, unit: 'ms' },
  ]
}
