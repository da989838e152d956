import { expect, it } from 'vitest'
import { monthCsvColumns } from './months-csv.ts'

it('names the day from which the data of a month is known', () => {
  const columns = monthCsvColumns({
    months: ['2026-08', '2026-09', '2026-10'],
    firstDays: [null, '2026-09-09', '2026-10-01'],
    comparedDays: 18,
  } as never)
  expect(columns.map(({ header }) => header)).toEqual([
    'Plan',
    'Organization',
    'Customer',
    'Data (GB) 2026-08',
    'Data (GB) 2026-09 since 2026-09-09',
    'Data (GB) 2026-10',
    'Est. price (USD) 2026-08',
    'Est. price (USD) 2026-09',
    'Est. price (USD) 2026-10',
    'Lines 2026-08',
    'Lines 2026-09',
    'Lines 2026-10',
    'First 18 days (GB)',
    'First 18 days of the month before (GB)',
  ])
})
