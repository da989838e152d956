import { describe, expect, test } from 'vitest'
import { addDays } from './days.ts'
import { DAYS_NEEDED, forecast } from './forecast.ts'
import { extrapolate, simulatePools } from './testing/simulated-pools.ts'

const today = '2026-11-15'
const use = (days: number[], more: object = {}) =>
  forecast({ days, today, passedOfToday: 0, usedGb: 700, limitGb: 1500, cycleEnd: '2026-12-01', ...more })
const steady = (gb: number, days = 56) => new Array<number>(days).fill(gb)

describe('on pools with a known process', () => {
  const runs = simulatePools({ count: 1500, seed: 8 }).map((pool) => {
    const estimate = forecast(pool.use)
    if (!estimate.known) throw new Error('There was enough history.')
    return { estimate, total: pool.total, line: extrapolate(pool) }
  })

  test('the 80 % band contains the total of the cycle in 75 to 85 % of them', () => {
    const contained = runs.filter(({ estimate, total }) => estimate.low_GB <= total && total <= estimate.high_GB).length
    expect(contained / runs.length).toBeGreaterThan(0.75)
    expect(contained / runs.length).toBeLessThan(0.85)
  })

  test('its error is smaller than that of a straight line', () => {
    const miss = (value: (run: (typeof runs)[number]) => number) =>
      runs.reduce((sum, run) => sum + Math.abs(value(run) - run.total) / run.total, 0) / runs.length
    expect(miss(({ estimate }) => estimate.expected_GB)).toBeLessThan(miss(({ line }) => line))
  })
})

test('steady usage runs out on the expected day', () => {
  // 700 GB are used, 800 GB remain at 100 GB a day: the eighth day from today.
  expect(use(steady(100))).toMatchObject({
    known: true,
    earliest: addDays(today, 7),
    latest: addDays(today, 8),
    reached: false,
  })
})

test('usage that stays below the limit never runs out', () => {
  const estimate = use(steady(10))
  expect(estimate).toMatchObject({ known: true, earliest: null, latest: null })
  expect(estimate.known && estimate.probability).toBeLessThan(0.01)
})

test('weekends without usage postpone the day', () => {
  // 56 days ago was a Sunday, as today is.
  const office = Array.from({ length: 56 }, (_, index) => (index % 7 === 0 || index % 7 === 6 ? 0 : 100))
  const estimate = use(office, { limitGb: 1300 })
  expect(estimate.known && estimate.earliest).toBe(addDays(today, 8))
})

test('growing usage is expected to keep growing', () => {
  const growing = Array.from({ length: 56 }, (_, index) => 50 * 1.02 ** index)
  const estimate = use(growing, { usedGb: 0, limitGb: 100_000 })
  const flat = 16 * (growing.at(-1) as number)
  expect(estimate.known && estimate.expected_GB).toBeGreaterThan(flat * 1.02)
})

test('the later in the day, the less usage remains', () => {
  const [early, late] = [0, 0.9].map((passedOfToday) => use(steady(100), { passedOfToday }))
  expect(early?.known && late?.known && early.expected_GB - late.expected_GB).toBeCloseTo(90, 0)
})

test('a limit that is reached is reported as reached today', () => {
  expect(use(steady(100), { usedGb: 1500 })).toMatchObject({ reached: true, probability: 1, earliest: today })
})

test('gives the reason when there is no forecast', () => {
  const reason = (days: number[], more: object = {}) => {
    const estimate = use(days, more)
    return estimate.known ? 'known' : estimate.reason
  }
  expect(reason(steady(100, DAYS_NEEDED))).toBe('known')
  expect(reason(steady(100, DAYS_NEEDED - 1))).toBe('too few days')
  expect(reason([...steady(0, 50), ...steady(100, 6)])).toBe('too few days')
  expect(reason([])).toBe('too few days')
  expect(reason(steady(0))).toBe('no use')
  expect(reason([...steady(100, 30), ...steady(0, DAYS_NEEDED)])).toBe('no use')
  expect(reason(steady(100), { limitGb: null })).toBe('no limit')
  expect(reason(steady(100), { cycleEnd: today })).toBe('cycle over')
})
