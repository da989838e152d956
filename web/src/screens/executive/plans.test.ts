import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Plan } from '#contract/executive.ts'
import { getCustomer, parseOrganization } from '#contract/executive-sums.ts'
import {
  formatComparison,
  formatKnownLimit,
  formatKnownPrice,
  formatKnownUsage,
  planPriceUsd,
  summarize,
} from './figures.ts'
import { planColumns } from './plan-columns.tsx'
import { choosePlans, formatScope, readPlans } from './plans.ts'

const line = (service_line: string, kit_number: string | null = `KIT-${service_line}`) => ({
  service_line,
  kit_number,
  status: 'online',
  total_usage: 1,
  last_month_usage: 2,
})
const plan = (plan_name: string, more: Partial<Plan> = {}): Plan => ({
  plan_name,
  customer_group: null,
  virtual_plan_id: null,
  usage_limit: 50,
  price_usd: 65,
  service_lines: [line(plan_name)],
  ...more,
})

describe('the organization', () => {
  it.each([
    ['NORTH-Schools-1TB', 'NORTH'],
    ['ÅÄÖ-x', 'ÅÄÖ'],
    ['North-Schools', null],
    ['N0RTH-Schools', null],
    ['NORTH SLOPE-Schools', null],
    ['-Schools', null],
    ['UNKNOWN', null],
    ['', null],
  ])('of %j is %j', (name, organization) => expect(parseOrganization(name)).toBe(organization))

  it('is uppercase letters before the first dash, for any name', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const dash = name.indexOf('-')
        const before = dash === -1 ? '' : name.slice(0, dash)
        expect(parseOrganization(name)).toBe(/^[\p{Lu}]+$/u.test(before) ? before : null)
      }),
    )
  })
})

describe('the customer', () => {
  it('is the one that the plan names, otherwise the first two parts of its name', () => {
    expect(getCustomer({ plan_name: 'NORTH-Schools-1TB', customer_group: 'north' })).toBe('north')
    expect(getCustomer({ plan_name: 'NORTH-Schools-1TB', customer_group: null })).toBe('NORTH-Schools')
    expect(getCustomer({ plan_name: 'NORTH-Schools', customer_group: '' })).toBe('NORTH-Schools')
  })

  it('is the beginning of the name when the plan names none', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[^-]*$/), { minLength: 1 }), (parts) => {
        const plan_name = parts.join('-')
        expect(getCustomer({ plan_name, customer_group: null })).toBe(parts.slice(0, 2).join('-'))
      }),
    )
  })
})

it('counts the plans that do not follow the naming rule, and loses none', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (names) => {
      const { named, leftOut } = readPlans(names.map((name) => plan(name)))
      expect(named.length + leftOut.length).toBe(names.length)
      expect(new Set(named.map(({ key }) => key)).size).toBe(named.length)
    }),
  )
})

describe('the filter', () => {
  const { named } = readPlans([
    plan('NORTH-Schools', { customer_group: 'north' }),
    plan('SOUTH-Boats', { customer_group: 'south' }),
    plan('NORTH-Clinics', { customer_group: 'health', service_lines: [line('SL-7', 'KIT-X9')] }),
  ])
  const names = (filter: object) =>
    choosePlans(named, { q: '', orgs: [], customers: [], descending: false, ...filter }).map((each) => each.plan_name)

  it('matches plans of one of the organizations and one of the customers that contain the text', () => {
    expect(names({})).toEqual(['NORTH-Clinics', 'NORTH-Schools', 'SOUTH-Boats'])
    expect(names({ orgs: ['NORTH'] })).toEqual(['NORTH-Clinics', 'NORTH-Schools'])
    expect(names({ orgs: ['NORTH', 'SOUTH'], customers: ['south'] })).toEqual(['SOUTH-Boats'])
    expect(names({ orgs: ['NORTH'], customers: ['south'] })).toEqual([])
    expect(names({ q: ' boats ' })).toEqual(['SOUTH-Boats'])
    expect(names({ q: 'kit-x9' })).toEqual(['NORTH-Clinics'])
  })

  it('searches the columns that say so', () => {
    const searched = planColumns.filter(({ search }) => search)
    expect(searched.map(({ key }) => key)).toEqual(['plan', 'lines', 'terminals'])
    for (const { key, search } of searched)
      for (const each of named)
        for (const value of [search?.(each)].flat()) expect(names({ q: value }), key).toContain(each.plan_name)
  })

  it('reverses the order', () => {
    expect(names({ descending: true })).toEqual(['SOUTH-Boats', 'NORTH-Schools', 'NORTH-Clinics'])
  })

  it('names its scope', () => {
    expect(formatScope([], [])).toBe('Everything')
    expect(formatScope(['NORTH', 'SOUTH'], ['north'])).toBe('NORTH, SOUTH, north')
  })
})

describe('the figures', () => {
  const cents = fc.integer({ min: 0, max: 5_000_000 })
  const somePlans = fc.array(
    fc.record({ prices: fc.array(cents, { minLength: 1, maxLength: 12 }), name: fc.string() }),
    { maxLength: 200 },
  )

  it('add up to the cent, also where a pool’s price is the mean of its lines', () => {
    fc.assert(
      fc.property(somePlans, (wanted) => {
        const plans = wanted.map(({ prices, name }) =>
          plan(name, {
            price_usd: prices.reduce((sum, price) => sum + price, 0) / prices.length / 100,
            service_lines: prices.map((_, index) => line(String(index))),
          }),
        )
        const exact = wanted.flatMap(({ prices }) => prices).reduce((sum, price) => sum + price, 0)
        const { priceUsd } = summarize(plans)
        expect(Math.round(priceUsd * 100)).toBe(exact)
        const shown = plans.reduce((sum, each) => sum + Math.round((planPriceUsd(each) ?? 0) * 100), 0)
        expect(shown).toBe(exact)
      }),
    )
  })

  it('count each kit once, subscriptions by line and limits by plan', () => {
    const plans = [
      plan('A-1', { usage_limit: 5120, service_lines: [line('1', 'K'), line('2', 'K'), line('3', null)] }),
      plan('A-2', { usage_limit: 50 }),
      plan('A-3', { usage_limit: null, price_usd: null }),
      plan('A-4', { usage_limit: 5100 }),
    ]
    expect(summarize(plans)).toEqual({
      subscriptions: 6,
      terminals: 4,
      priceUsd: 325,
      unpricedLines: 1,
      limits: [
        { label: '50 GB', plans: 1 },
        { label: '5.0 TB', plans: 2 },
        { label: 'N/A', plans: 1 },
      ],
    })
  })

  it('have their units', () => {
    expect([0, 999, 1000, 1024, 5120, 15_360, null].map(formatKnownLimit)).toEqual([
      '0 GB',
      '999 GB',
      '1.0 TB',
      '1.0 TB',
      '5.0 TB',
      '15.0 TB',
      'N/A',
    ])
    expect([65, 1234.5, null].map(formatKnownPrice)).toEqual(['$65.00', '$1,234.50', 'N/A'])
    expect([1234.567, null].map(formatKnownUsage)).toEqual(['1,234.57 GB', '-'])
  })

  it('compare with last month', () => {
    const compare = (total_usage: number | null, last_month_usage: number | null) =>
      formatComparison({ ...line('1'), total_usage, last_month_usage })
    expect([compare(2, 1), compare(1, 2), compare(1, 1), compare(null, 1), compare(1, null)]).toEqual([
      'Higher +100%',
      'Lower −50%',
      '-',
      '-',
      '-',
    ])
    const byNow = (total_usage: number, last_month_to_date: number | null) =>
      formatComparison({ ...line('1'), total_usage, last_month_usage: 100, last_month_to_date })
    expect([byNow(30, 20), byNow(20, 30), byNow(20, 20), byNow(5, 0), byNow(20, null)]).toEqual([
      'Higher +50%',
      'Lower −33%',
      '-',
      'Higher',
      '-',
    ])
  })
})
