import { expect, test } from 'vitest'
import type { Forecast } from './forecast.ts'
import { describeNoRisk } from './pools-at-risk.ts'

const lasting: Forecast = {
  known: true,
  expected_GB: 10,
  low_GB: 9,
  high_GB: 11,
  probability: 0.02,
  earliest: null,
  latest: null,
  reached: false,
}
const unknown: Forecast = { known: false, reason: 'too few days', days: 1, days_needed: 7 }
const idle: Forecast = { known: false, reason: 'no use', days: 7, days_needed: 7 }

test.for<[Forecast[], string]>([
  [[], 'There are no pools.'],
  [[unknown], 'Not enough is known yet for a forecast.'],
  [[lasting, idle], 'No pool is likely to run out before its cycle ends.'],
  [[lasting, unknown], 'No pool is likely to run out before its cycle ends. 1 pool has no forecast yet.'],
])('%# says what is known of pools that are not at risk', ([forecasts, text]) => {
  expect(describeNoRisk(forecasts.map((forecast) => ({ forecast })))).toBe(text)
})
