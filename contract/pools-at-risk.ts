import type { KnownForecast } from './forecast.ts'
import { compareNatural } from './format/natural-order.ts'
import type { Pool } from './plans.ts'

export interface PoolAtRisk {
  id: string
  name: string
  forecast: KnownForecast
}

const riskFrom = 0.1

/** Pools that run out before their cycle ends with a chance of a tenth at least, the likeliest and earliest first. */
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
