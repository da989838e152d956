import type { KnownForecast } from './forecast.ts'
import { compareNatural } from './format/natural-order.ts'
import type { Pool } from './plans.ts'

export interface PoolAtRisk {
  id: string
  name: string
  forecast: KnownForecast
}

const riskFrom = 0.1

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
