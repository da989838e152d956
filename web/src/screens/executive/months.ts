import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { AccountGroup } from '#contract/account-groups.ts'
import { availability } from '#contract/availability.ts'
import { type ExecutiveMonths, executive, type PlanMonths } from '#contract/executive.ts'
import { findPartStart, getCustomer, parseOrganization } from '#contract/executive-sums.ts'
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

/** Days of the month from its first known one. */
const countDays = (firstDay: string) => {
  const [year, month, day] = firstDay.split('-').map(Number) as [number, number, number]
  return new Date(Date.UTC(year, month, 0)).getUTCDate() - day + 1
}

/**
 * The data per known day of each month: months that began before the first known day, and the running one, are no smaller
 * than they were. The last month has the days that are compared with the month before.
 */
export const listDailyGb = (
  dataGb: readonly number[],
  { firstDays, comparedDays }: Pick<ExecutiveMonths, 'firstDays' | 'comparedDays'>,
  comparedGb: number,
) =>
  dataGb.map((gb, at) => {
    const firstDay = firstDays[at] ?? null
    if (firstDay === null) return null
    if (at < dataGb.length - 1) return gb / countDays(firstDay)
    return comparedDays > 0 && !findPartStart(firstDay) ? comparedGb / comparedDays : null
  })

/** A figure of each month; null where nothing is known about the month. */
export const hideUnknown = (values: readonly number[], { firstDays }: ExecutiveMonths) =>
  values.map((value, at) => (firstDays[at] === null ? null : value))
