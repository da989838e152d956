import { expect, test } from 'vitest'
import { type CalendarPeriod, findPeriod, shiftPeriod } from './calendar-period.ts'

test.for<[CalendarPeriod, string, string, string]>([
  ['day', '2026-11-17', '2026-11-17', '2026-11-17'],
  ['week', '2026-11-17', '2026-11-16', '2026-11-22'],
  ['week', '2026-11-22', '2026-11-16', '2026-11-22'],
  ['month', '2024-02-29', '2024-02-01', '2024-02-29'],
  ['quarter', '2026-11-17', '2026-10-01', '2026-12-31'],
  ['year', '2026-11-17', '2026-01-01', '2026-12-31'],
])('the %s of %s is from %s to %s', ([period, day, firstDay, lastDay]) => {
  expect(findPeriod(period, day)).toEqual({ firstDay, lastDay })
})

test('periods follow each other without a gap', () => {
  for (const period of ['day', 'week', 'month', 'quarter', 'year', 'custom'] as const) {
    const now = findPeriod(period, '2026-01-15', '2026-01-24')
    const next = shiftPeriod(period, now, 1)
    expect(Date.parse(next.firstDay) - Date.parse(now.lastDay)).toBe(86_400_000)
    expect(shiftPeriod(period, next, -1)).toEqual(now)
  }
})
