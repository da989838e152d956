import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCycle } from './billing-cycle.ts'
import { addDays, daysBetween, getWeekday, toDay } from './days.ts'

const day = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('1990-01-01', days))
const anchor = fc.integer({ min: 1, max: 31 })

describe('a billing cycle', () => {
  test('holds its day, and the next one begins where it ends', () => {
    fc.assert(
      fc.property(day, anchor, (today, anchorDay) => {
        const { start, end } = findCycle(today, anchorDay)
        expect(start <= today && today < end).toBe(true)
        expect(findCycle(end, anchorDay).start).toBe(end)
        expect(findCycle(addDays(start, -1), anchorDay).end).toBe(start)
        expect(daysBetween(start, end)).toBeGreaterThanOrEqual(28)
        expect(daysBetween(start, end)).toBeLessThanOrEqual(31)
      }),
    )
  })

  test.each([
    ['2026-03-30', 31, '2026-02-28', '2026-03-31'],
    ['2026-03-31', 31, '2026-03-31', '2026-04-30'],
    ['2028-02-29', 30, '2028-02-29', '2028-03-30'],
    ['2028-02-28', 30, '2028-01-30', '2028-02-29'],
    ['2026-12-31', 13, '2026-12-13', '2027-01-13'],
    ['2027-01-05', 13, '2026-12-13', '2027-01-13'],
  ])('of %s with the anchor %i is from %s to %s', (today, anchorDay, start, end) => {
    expect(findCycle(today, anchorDay)).toEqual({ start, end })
  })
})

test('days do not shift with the machine’s zone', () => {
  const before = process.env.TZ
  try {
    for (const zone of ['America/Anchorage', 'America/Toronto', 'Pacific/Auckland']) {
      process.env.TZ = zone
      expect(addDays('2026-03-07', 2)).toBe('2026-03-09')
      expect(getWeekday('2026-03-01')).toBe(0)
      expect(toDay(new Date('2026-03-01T00:30:00Z'))).toBe('2026-03-01')
      expect(findCycle('2026-03-01', 1)).toEqual({ start: '2026-03-01', end: '2026-04-01' })
    }
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
})
