import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AccountGroup } from '#contract/account-groups.ts'
import { availability } from '#contract/availability.ts'
import { type ExecutiveMonths, executive, type PlanMonths } from '#contract/executive.ts'
import { call } from '../../api.ts'
import { getCustomer, parseOrganization } from './plan-names.ts'

export const monthsQuery = (month: string | undefined, group: AccountGroup | undefined) =>
  queryOptions({
    queryKey: ['plans', 'months', month ?? 'running', group ?? 'all'],
    queryFn: ({ signal }) => call(executive.months, { ...(month && { month }), ...(group && { group }) }, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

export const monthAvailabilityQuery = (month: string) =>
  queryOptions({
    queryKey: ['availability', 'executive', month],
    queryFn: ({ signal }) => call(availability.summary, { period: 'month', day: `${month}-01` }, signal),
    staleTime: 10 * 60_000,
  })

export interface PlanChoice {
  q: string
  orgs: readonly string[]
  customers: readonly string[]
}

/** The plans that the filters of the page choose, of those whose name begins with an organization. */
export const chooseMonths = (plans: readonly PlanMonths[], { q, orgs, customers }: PlanChoice) =>
  plans.filter((plan) => {
    const organization = parseOrganization(plan.plan_name)
    return (
      organization !== null &&
      plan.plan_name.toLowerCase().includes(q.trim().toLowerCase()) &&
      (orgs.length === 0 || orgs.includes(organization)) &&
      (customers.length === 0 || customers.includes(getCustomer(plan)))
    )
  })

export interface MonthTotal {
  name: string
  dataGb: number[]
  priceUsd: number[]
  lines: number[]
  unpricedLines: number[]
  comparedGb: number
  beforeGb: number
}

const addEach = (sums: readonly number[], more: readonly number[]) => more.map((value, at) => (sums[at] ?? 0) + value)

/** Adds plans up by a name of theirs, the most data in the last month first. */
export function sumMonths(plans: readonly PlanMonths[], getName: (plan: PlanMonths) => string): MonthTotal[] {
  const totals = new Map<string, MonthTotal>()
  for (const plan of plans) {
    const name = getName(plan)
    const sum = totals.get(name)
    totals.set(name, {
      name,
      dataGb: addEach(sum?.dataGb ?? [], plan.data_GB),
      priceUsd: addEach(sum?.priceUsd ?? [], plan.price_usd),
      lines: addEach(sum?.lines ?? [], plan.lines),
      unpricedLines: addEach(sum?.unpricedLines ?? [], plan.unpriced_lines),
      comparedGb: (sum?.comparedGb ?? 0) + plan.compared_GB,
      beforeGb: (sum?.beforeGb ?? 0) + plan.before_GB,
    })
  }
  return [...totals.values()].sort((a, b) => (b.dataGb.at(-1) ?? 0) - (a.dataGb.at(-1) ?? 0))
}

export const byCustomer = (plans: readonly PlanMonths[]) => sumMonths(plans, getCustomer)

export const byOrganization = (plans: readonly PlanMonths[]) =>
  sumMonths(plans, ({ plan_name }) => parseOrganization(plan_name) ?? '')

/** Those whose data changed most against the same days of the month before, the largest change first. */
export const listMoves = (totals: readonly MonthTotal[], most: number) =>
  totals
    .filter(({ comparedGb, beforeGb }) => comparedGb !== beforeGb)
    .sort((a, b) => Math.abs(b.comparedGb - b.beforeGb) - Math.abs(a.comparedGb - a.beforeGb))
    .slice(0, most)

/** The last twelve months, the running one first. */
export const listMonths = (running: string, count = 12) => {
  const [year, month] = running.split('-').map(Number) as [number, number]
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  )
}

/** A figure of each month, unknown where nothing of the month is. */
export const hideUnknown = (values: readonly number[], { firstDays }: ExecutiveMonths) =>
  values.map((value, at) => (firstDays[at] === null ? null : value))
