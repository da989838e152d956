import { expect, test } from 'vitest'
import { formatBlockType } from '#contract/data-block.ts'
import {
  chooseShownMonth,
  computePercentConsumed,
  dayCount,
  filterDays,
  findCycleEdge,
  findDataLeft,
  monthTabs,
  sumGb,
  toMonth,
} from './usage.ts'

test('lists month tabs from January of this year to the current month', () => {
  expect(monthTabs('2026-11', '2026-11')).toEqual(['2026-10', '2026-11'])
  expect(monthTabs('2026-10', '2026-11')).toEqual(['2026-09', '2026-10', '2026-11'])
  expect(monthTabs('2026-01', '2026-11')).toEqual(['2026-01', '2026-02'])
  expect(monthTabs('2026-01', '2026-01')).toEqual(['2026-01'])
})

test('shows the current month for another year or a future month in the URL', () => {
  expect(chooseShownMonth('2026-03', '2026-11')).toBe('2026-03')
  expect(chooseShownMonth('2026-12', '2026-11')).toBe('2026-11')
  expect(chooseShownMonth('2025-12', '2026-11')).toBe('2026-11')
  expect(chooseShownMonth('2026-99', '2026-11')).toBe('2026-11')
  expect(chooseShownMonth(undefined, '2026-11')).toBe('2026-11')
})

test('uses the month in UTC, as the vendor does', () => {
  expect(toMonth(new Date('2026-10-31T20:00:00-08:00'))).toBe('2026-11')
  expect([dayCount('2026-02'), dayCount('2028-02'), dayCount('2026-12')]).toEqual([28, 29, 31])
})

test('adds up the days of a month over all kinds of data', () => {
  const usage = [
    { date: '2026-10-31', priorityGB: 9, standardGB: 9 },
    { date: '2026-11-01', priorityGB: 1.5, standardGB: 0.25 },
    { date: '2026-11-02', priorityGB: 2, standardGB: 0 },
  ]
  expect(sumGb(filterDays(usage, '2026-11'))).toBe(3.75)
})

test('counts nothing as consumed without a limit, and unknown usage as unknown', () => {
  expect(computePercentConsumed({ usedGb: 50, limitGb: 200 })).toBe(25)
  expect(computePercentConsumed({ usedGb: 50, limitGb: 0 })).toBe(0)
  expect(computePercentConsumed({ usedGb: 50, limitGb: null })).toBe(0)
  expect(computePercentConsumed({ usedGb: null, limitGb: 100 })).toBeNull()
})

test('finds the days of the billing cycle', () => {
  const cycle = { start: '2026-11-10', end: '2026-12-10' }
  const days = ['2026-11-09', '2026-11-10', '2026-11-30', '2026-12-10', '2026-12-11']
  expect(days.map((day) => findCycleEdge(day, cycle))).toEqual([undefined, 'start', 'inside', 'end', undefined])
  expect(findCycleEdge('2026-11-10', undefined)).toBeUndefined()
})

test('names data blocks as the product does', () => {
  const types = [
    'IncludedWithBaseSubscription',
    'RecurringPerBillingCycle',
    'OneTimePurchase',
    'Overage',
    'constructor',
  ]
  expect(types.map((dataBlockType) => formatBlockType({ dataBlockType }))).toEqual([
    'included',
    'Recurring',
    'Top Up',
    'Overage',
    'constructor',
  ])
})

test('data left is that of the pool, else of the line, and unknown while its use or limit is', () => {
  const monthlyUsage = {
    start_date: '2026-11-01',
    data_blocks: [],
    priority_GB: 20,
    usage_limit_GB: 50,
    standard_GB: null,
  }
  const virtualPlanInfo = { virtualPoolUsage: 900, virtualPoolUsageLimit: 800 }
  expect(findDataLeft({ monthlyUsage, virtualPlanInfo: null })).toEqual({ label: 'Data left', leftGb: 30 })
  expect(findDataLeft({ monthlyUsage, virtualPlanInfo })).toEqual({ label: 'Left in pool', leftGb: 0 })
  const unknown = { ...monthlyUsage, priority_GB: null }
  expect(findDataLeft({ monthlyUsage: unknown, virtualPlanInfo: null }).leftGb).toBeNull()
  expect(findDataLeft({ monthlyUsage: null, virtualPlanInfo: null }).leftGb).toBeNull()
})
