import { describe, expect, test } from 'vitest'
import { addDays } from './days.ts'
import { DAYS_NEEDED, forecast } from './forecast.ts'
import { simulatePools, straightLine } from './testing/simulated-pools.ts'

const today = '2026-11-15'
const use = (days: number[], more: object = {}) =>
  forecast({ days, today, passedOfToday: 0, usedGb: 700, limitGb: 1500, cycleEnd: '2026-12-01', ...more })
const steady = (gb: number, days = 56) => new Array<number>(days).fill(gb)

describe('on pools with a known process', () => {
  const runs = simulatePools({ count: 1500, seed: 8 }).map((pool) => {
    const told = forecast(pool.use)
    if (!told.known) throw new Error('There was enough to know.')
    return { told, total: pool.total, line: straightLine(pool) }
  })

  test('the 80 % band holds the total of the cycle in 75 to 85 % of them', () => {
    const held = runs.filter(({ told, total }) => told.low_GB <= total && total <= told.high_GB).length
    expect(held / runs.length).toBeGreaterThan(0.75)
    expect(held / runs.length).toBeLessThan(0.85)
  })

  test('it misses by less than a straight line does', () => {
    const miss = (value: (run: (typeof runs)[number]) => number) =>
      runs.reduce((sum, run) => sum + Math.abs(value(run) - run.total) / run.total, 0) / runs.length
    expect(miss(({ told }) => told.expected_GB)).toBeLessThan(miss(({ line }) => line))
  })
})

test('a steady use runs out on the day that it does', () => {
  // 700 are used, 800 are left, 100 go each day: the eighth day from today.
  expect(use(steady(100))).toMatchObject({
    known: true,
    earliest: addDays(today, 7),
    latest: addDays(today, 8),
    reached: false,
  })
})

test('use that stays below the limit has no day on which it runs out', () => {
  const told = use(steady(10))
  expect(told).toMatchObject({ known: true, earliest: null, latest: null })
  expect(told.known && told.probability).toBeLessThan(0.01)
})

test('weekends without use move the day on', () => {
  // 56 days ago was a Sunday, as today is.
  const office = Array.from({ length: 56 }, (_, index) => (index % 7 === 0 || index % 7 === 6 ? 0 : 100))
  const told = use(office, { limitGb: 1300 })
  expect(told.known && told.earliest).toBe(addDays(today, 8))
})

test('a growing use is expected to go on growing', () => {
  const growing = Array.from({ length: 56 }, (_, index) => 50 * 1.02 ** index)
  const told = use(growing, { usedGb: 0, limitGb: 100_000 })
  const flat = 16 * (growing.at(-1) as number)
  expect(told.known && told.expected_GB).toBeGreaterThan(flat * 1.02)
})

test('more of today is behind, less is still to come', () => {
  const [early, late] = [0, 0.9].map((passedOfToday) => use(steady(100), { passedOfToday }))
  expect(early?.known && late?.known && early.expected_GB - late.expected_GB).toBeCloseTo(90, 0)
})

test('a limit that is reached is told as reached today', () => {
  expect(use(steady(100), { usedGb: 1500 })).toMatchObject({ reached: true, probability: 1, earliest: today })
})

test('it says when it does not know enough', () => {
  const reason = (days: number[], more: object = {}) => {
    const told = use(days, more)
    return told.known ? 'known' : told.reason
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
