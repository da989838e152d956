import { expect, it } from 'vitest'
import type { PlanMonths } from '#contract/executive.ts'
import { byCustomer, byOrganization, listMoves } from '#contract/executive-sums.ts'
import { chooseMonths, listDailyGb, listMonths, type PlanChoice } from './months.ts'

const plan = (plan_name: string, customer_group: string | null, gb: number, beforeGb: number): PlanMonths => ({
  plan_name,
  customer_group,
  data_GB: [beforeGb, gb],
  lines: [1, 2],
  price_usd: [10, 20.5],
  unpriced_lines: [0, 1],
  compared_GB: gb,
  before_GB: beforeGb,
})
const plans = [
  plan('ORG-One', 'north', 10, 40),
  plan('ORG-Two', 'south', 30, 20),
  plan('SEA-Three', 'north', 5, 5),
  plan('small-Four', 'north', 500, 0),
]
const everything: PlanChoice = { q: '', orgs: [], customers: [] }

it('leaves out plans without an organization, and those that the filters do not choose', () => {
  const names = (filter: Partial<PlanChoice>) =>
    chooseMonths(plans, { ...everything, ...filter }).map(({ plan_name }) => plan_name)
  expect(names({})).toEqual(['ORG-One', 'ORG-Two', 'SEA-Three'])
  expect(names({ q: ' three ' })).toEqual(['SEA-Three'])
  expect(names({ orgs: ['ORG'], customers: ['north'] })).toEqual(['ORG-One'])
})

it('adds up by customer and by organization, the most data first', () => {
  const chosen = chooseMonths(plans, everything)
  expect(byCustomer(chosen).map(({ name, dataGb, priceUsd }) => [name, dataGb, priceUsd])).toEqual([
    ['south', [20, 30], [10, 20.5]],
    ['north', [45, 15], [20, 41]],
  ])
  expect(byOrganization(chosen).map(({ name, lines, unpricedLines }) => [name, lines, unpricedLines])).toEqual([
    ['ORG', [2, 4], [0, 2]],
    ['SEA', [1, 2], [0, 1]],
  ])
})

it('finds what moved most in either direction', () => {
  const moves = listMoves(byCustomer(chooseMonths(plans, everything)), 5)
  expect(moves.map(({ name, comparedGb, beforeGb }) => [name, comparedGb - beforeGb])).toEqual([
    ['north', -30],
    ['south', 10],
  ])
})

it('counts months across the turn of the year', () => {
  expect(listMonths('2026-02', 3)).toEqual(['2026-02', '2026-01', '2025-12'])
})

it('compares months by their data per known day, so that a part of a month is no decline', () => {
  const firstDays = [null, '2026-02-15', '2026-03-01', '2026-04-01']
  expect(listDailyGb([0, 140, 310, 105], { firstDays, comparedDays: 10 }, 100)).toEqual([null, 10, 10, 10])
  // Nothing to compare with: the month has just begun, or is not known from its first day.
  expect(listDailyGb([310, 5], { firstDays: ['2026-03-01', '2026-04-01'], comparedDays: 0 }, 0)).toEqual([10, null])
  expect(listDailyGb([5], { firstDays: ['2026-04-03'], comparedDays: 10 }, 5)).toEqual([null])
})
