import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AccountGroup } from '#contract/account-groups.ts'
import { availability } from '#contract/availability.ts'
import { type ExecutiveMonths, executive, type PlanMonths } from '#contract/executive.ts'
import { getCustomer, parseOrganization } from '#contract/executive-sums.ts'
import { call } from '../../api.ts'

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

/** The plans that match the page's filters, of those whose name begins with an organization. */
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

/** The number of plans whose name begins with an organization. */
export const countNamed = (plans: readonly PlanMonths[]) =>
  plans.filter(({ plan_name }) => parseOrganization(plan_name) !== null).length

/** The last twelve months, current one first. */
export const listMonths = (running: string, count = 12) => {
  const [year, month] = running.split('-').map(Number) as [number, number]
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  )
}

/** A figure of each month; null where nothing is known about the month. */
export const hideUnknown = (values: readonly number[], { firstDays }: ExecutiveMonths) =>
  values.map((value, at) => (firstDays[at] === null ? null : value))
