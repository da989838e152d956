import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pool } from '#contract/plans.ts'
import { arrangePools, poolColumns } from './pool-columns.tsx'
import {
  addLines,
  addTopUp,
  checkForm,
  dropTopUp,
  emptyForm,
  parseWholeGb,
  removeLine,
  restoreLine,
  sumTopUpsGb,
  toCreatePool,
  toForm,
  toUpdatePool,
} from './pool-form.ts'

const line = (service_line: string) => ({
  service_line,
  nickname: `Nick ${service_line}`,
  kit_number: `KIT${service_line}`,
})
const pool = (virtual_plan_id: string, more: Partial<Pool> = {}): Pool => ({
  virtual_plan_id,
  plan_name: `Pool ${virtual_plan_id}`,
  over_limit_behavior: 'Soft Cap',
  usage_limit: [
    { dataBlockType: 'RecurringPerBillingCycle', totalAmountGB: 1000 },
    { dataBlockType: 'top_up', totalAmountGB: 500, date: '11/02/26' },
  ],
  usage_limit_next_month: [{ dataBlockType: 'RecurringPerBillingCycle', totalAmountGB: 2000 }],
  assigned_service_lines: [line('1'), line('2')],
  version: 4,
  current_usage: 10,
  total_limit: 1500,
  measured_at: null,
  cycle_start: '2026-11-01',
  cycle_end: '2026-12-01',
  over_limit_since: null,
  forecast: { known: false, reason: 'too few days', days: 0, days_needed: 14 },
  ...more,
})
const numbers = (lines: readonly { service_line: string }[]) => lines.map(({ service_line }) => service_line)

describe('a limit', () => {
  it('is digits and nothing else', () => {
    for (const text of ['', ' ', '1.5', '1e3', '0x1', '-1', '+1', ' 7', '7 ', '0', '10000001', '١٢'])
      expect(parseWholeGb(text), text).toBeUndefined()
    expect(['1', '007', '10000000'].map(parseWholeGb)).toEqual([1, 7, 10_000_000])
  })

  it('is accepted exactly as written, or not at all', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.nat().map(String)), (text) => {
        const gb = parseWholeGb(text)
        if (gb !== undefined) expect(text.replace(/^0+(?=\d)/, '')).toBe(String(gb))
        else expect(/^0*[1-9]\d{0,6}$/.test(text) && Number(text) <= 10_000_000).toBe(false)
      }),
    )
  })
})

describe('the form', () => {
  it('requires a name and the limits, in an edit also the one of next month', () => {
    const message = 'Please enter a whole number from 1 to 10,000,000.'
    expect(checkForm(emptyForm, true)).toEqual({ name: 'This field is required.', limit: message })
    expect(checkForm(emptyForm, false)).toEqual({
      name: 'This field is required.',
      limit: message,
      nextLimit: message,
    })
    expect(checkForm(toForm(pool('1')), false)).toEqual({})
  })

  it('sends back what it received', () => {
    expect(toUpdatePool(toForm(pool('7')), pool('7'))).toEqual({
      virtual_plan_id: '7',
      version: 4,
      plan_name: 'Pool 7',
      over_limit_behavior: 'Soft Cap',
      usage_limit: 1000,
      usage_limit_next_month: 2000,
      assigned_service_lines: ['1', '2'],
    })
  })

  it('counts new top-ups only, and adds all of them up', () => {
    const today = new Date(2026, 10, 5)
    const form = addTopUp(addTopUp(toForm(pool('7')), today), today)
    expect(form.topUps.at(-1)).toEqual({
      dataBlockType: 'top_up',
      totalAmountGB: 500,
      state: 'new',
      date: '11/05/26',
    })
    expect(sumTopUpsGb(form)).toBe(1500)
    expect(toUpdatePool(form, pool('7')).top_up_count).toBe(2)
    expect(toUpdatePool(dropTopUp(form), pool('7')).top_up_count).toBe(1)
    expect(dropTopUp(dropTopUp(dropTopUp(form))).topUps).toHaveLength(1)
  })
})

describe('the lines of a form', () => {
  const form = addLines(toForm(pool('7')), [line('2'), line('3')])

  it('are added once and marked as new', () => {
    expect(form.lines.map(({ service_line, is_new }) => [service_line, is_new])).toEqual([
      ['1', undefined],
      ['2', undefined],
      ['3', true],
    ])
  })

  it('are struck out and not sent when removed; new ones disappear; struck ones can be restored', () => {
    const without = removeLine(removeLine(form, '3'), '1')
    expect(numbers(without.lines)).toEqual(['1', '2'])
    expect(without.lines[0]?.removed).toBe(true)
    expect(toCreatePool(without).assigned_service_lines).toEqual(['2'])
    expect(toCreatePool(restoreLine(without, '1')).assigned_service_lines).toEqual(['1', '2'])
  })
})

describe('the table', () => {
  const pools = [
    pool('2', { plan_name: 'Boats', total_limit: 500, assigned_service_lines: [line('AST-77')] }),
    pool('10', { plan_name: 'Schools', total_limit: 5000 }),
  ]
  const ids = (text: string, sort?: { key: string; descending: boolean }) =>
    arrangePools(pools, text, sort).map(({ virtual_plan_id }) => virtual_plan_id)

  it('finds by id, name, kit number, service line and nickname', () => {
    for (const text of ['2', 'boats', 'kitast-77', 'AST-77', 'nick ast']) expect(ids(text), text).toContain('2')
    expect(ids('schools')).toEqual(['10'])
    expect(ids('nothing')).toEqual([])
  })

  it('searches the columns that say so', () => {
    const searched = poolColumns.filter(({ search }) => search)
    expect(searched.map(({ key }) => key)).toEqual(['id', 'name', 'lines'])
    for (const { key, search } of searched)
      for (const each of pools)
        for (const value of [search?.(each)].flat()) expect(ids(String(value)), key).toContain(each.virtual_plan_id)
  })

  it('sorts by id and by limit as numbers', () => {
    expect(ids('', { key: 'id', descending: false })).toEqual(['2', '10'])
    expect(ids('', { key: 'limit', descending: true })).toEqual(['10', '2'])
  })
})
