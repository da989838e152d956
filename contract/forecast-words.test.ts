import { expect, it } from 'vitest'
import type { Forecast } from './forecast.ts'
import { describeForecast, formatBand } from './forecast-words.ts'

const known = (more: object = {}) =>
  ({
    known: true,
    expected_GB: 1420.4,
    low_GB: 1280,
    high_GB: 1590,
    probability: 0.95,
    earliest: '2026-11-21',
    latest: '2026-11-24',
    reached: false,
    ...more,
  }) as Extract<Forecast, { known: true }>

it.each([
  [known(), 'likely', 'Likely to run out between Nov 21 and 24'],
  [known({ latest: '2026-12-02' }), 'likely', 'Likely to run out between Nov 21 and Dec 2'],
  [known({ latest: '2026-11-21' }), 'likely', 'Likely to run out on Nov 21'],
  [known({ latest: null, probability: 0.7 }), 'likely', 'Likely to run out, not before Nov 21 (70%)'],
  [known({ latest: null, probability: 0.3 }), 'possible', 'May run out, not before Nov 21 (30%)'],
  [known({ earliest: null, latest: null, probability: 0.02 }), 'lasts', 'Will last until the cycle ends'],
  [known({ reached: true }), 'reached', 'Limit reached'],
  [
    { known: false, reason: 'too few days', days: 9, days_needed: 14 },
    'unknown',
    'Not enough is known yet: 9 of 14 days',
  ],
  [{ known: false, reason: 'no use', days: 40, days_needed: 14 }, 'unknown', 'No use lately to go by'],
] as [Forecast, string, string][])('describes the forecast %o', (forecast, outlook, text) => {
  expect(describeForecast(forecast)).toEqual({ outlook, text })
})

it('formats the interval with its unit', () => {
  expect(formatBand(known())).toBe('About 1,420 GB by the end of the cycle; 80% likely between 1,280 and 1,590 GB.')
})
