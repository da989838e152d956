import { expect, test } from 'vitest'
import { describeMonth, listCards } from './pdf-executive.ts'

const plan = {
  plan_name: 'NORTH-Villages',
  customer_group: null,
  virtual_plan_id: null,
  data_GB: [0, 120.4],
  price_usd: [0, 500],
  lines: [0, 2],
  unpriced_lines: [0, 0],
  compared_GB: 60,
  before_GB: 50,
}
const months = {
  month: '2026-11',
  running: '2026-11',
  months: ['2026-10', '2026-11'],
  firstDays: [null, '2026-11-01'],
  comparedDays: 18,
  plans: [plan],
}

const list = (change: object, percent: number | null, observedPercent = 100) =>
  listCards({ months: { ...months, ...change } as never, availability: { percent, observedPercent } })

const read = (change: object, percent: number | null = 99.987) => list(change, percent).map(({ value }) => value)

test('the largest figures are those of the month', () => {
  expect(read({})).toEqual(['120 GB', '$500.00', '2', '99.98%'])
})

test('a month about which nothing is stored has no figures, instead of zeros', () => {
  expect(read({ firstDays: ['2026-10-01', null] }, null)).toEqual(['-', '-', '-', '-'])
  expect(read({ plans: [] }, null)).toEqual(['-', '-', '-', '-'])
})

test('the availability of a month that was hardly observed is not known, and the card says why', () => {
  expect(list({}, null, 3.27).at(-1)).toMatchObject({ value: '-', note: '3.2% was observed' })
  expect(list({}, 99.987).at(-1)).toMatchObject({ value: '99.98%', note: 'Of all terminals' })
})

test('a month of which only a part is known says from when', () => {
  expect(describeMonth({ month: '2026-09', firstDay: '2026-09-09' })).toBe('September 2026, data since Sep 9')
  for (const firstDay of ['2026-09-01', null])
    expect(describeMonth({ month: '2026-09', firstDay })).toBe('September 2026')
})
