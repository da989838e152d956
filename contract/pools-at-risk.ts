import type { KnownForecast } from './forecast.ts'
import { compareNatural } from './format/natural-order.ts'
import { formatCounted } from './format/numbers.ts'
import type { Pool } from './plans.ts'

export interface PoolAtRisk {
  id: string
  name: string
  forecast: KnownForecast
}

const riskFrom = 0.1

const isUnknown = ({ forecast }: Pick<Pool, 'forecast'>) =>
  !forecast.known && (forecast.reason === 'too few days' || forecast.reason === 'cycle over')

/** What is said when no pool is at risk, which is not the same as not known. */
export const describeNoRisk = (pools: readonly Pick<Pool, 'forecast'>[]) => {
  if (pools.length === 0) return 'There are no pools.'
  const unknown = pools.filter(isUnknown).length
  if (unknown === pools.length) return 'Not enough is known yet for a forecast.'
  const rest = unknown === 0 ? '' : ` ${formatCounted(unknown, 'pool has', 'pools have')} no forecast yet.`
  return `No pool is likely to run out before its cycle ends.${rest}`
}

/** Pools with at least a 10% chance of running out before their cycle ends, the likeliest and earliest first. */
export const listPoolsAtRisk = (pools: readonly Pool[]): PoolAtRisk[] =>
  pools
    .flatMap(({ virtual_plan_id: id, plan_name: name, forecast }) =>
      forecast.known && forecast.probability >= riskFrom ? [{ id, name, forecast }] : [],
    )
    .sort(
      (a, b) =>
        b.forecast.probability - a.forecast.probability ||
        compareNatural(a.forecast.earliest ?? '', b.forecast.earliest ?? ''),
    )
