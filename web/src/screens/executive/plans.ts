import { queryOptions } from '@tanstack/react-query'
import type { AccountGroup } from '#contract/account-groups.ts'
import { executive, type Plan } from '#contract/executive.ts'
import { getCustomer, parseOrganization } from '#contract/executive-sums.ts'
import { compareNatural } from '#contract/format/natural-order.ts'
import { call } from '../../api.ts'
import { sortRows } from '../../ui/table-rows.ts'
import { planSearch } from './plan-columns.tsx'

export const plansQuery = (group: AccountGroup | undefined) =>
  queryOptions({
    queryKey: ['plans', group ?? 'all'],
    queryFn: async ({ signal }) => {
      const response = group
        ? await call(executive.accountGroup, { group }, signal)
        : await call(executive.summary, {}, signal)
      return readPlans(response.plans)
    },
    staleTime: 60_000,
  })

/** A plan that follows the naming rule, with the values for filters. */
export interface NamedPlan extends Plan {
  key: string
  organization: string
  customer: string
}

const buildPlanKey = ({ virtual_plan_id, plan_name, usage_limit, price_usd }: Plan, place: number) =>
  virtual_plan_id === null ? `${plan_name} ${usage_limit ?? ''} ${price_usd ?? ''} ${place}` : `pool ${virtual_plan_id}`

export interface Plans {
  named: NamedPlan[]
  /** Names of the plans that do not follow the naming rule. */
  leftOut: string[]
}

export function readPlans(plans: readonly Plan[]): Plans {
  const named: NamedPlan[] = []
  const leftOut: string[] = []
  for (const [place, plan] of plans.entries()) {
    const organization = parseOrganization(plan.plan_name)
    if (organization === null) {
      leftOut.push(plan.plan_name)
      continue
    }
    named.push({ ...plan, key: buildPlanKey(plan, place), organization, customer: getCustomer(plan) })
  }
  return { named, leftOut }
}

export interface PlanFilter {
  q: string
  orgs: readonly string[]
  customers: readonly string[]
  descending: boolean
}

export function choosePlans(plans: readonly NamedPlan[], { q, orgs, customers, descending }: PlanFilter) {
  const [inOrgs, inCustomers] = [new Set(orgs), new Set(customers)]
  const chosen = planSearch
    .find(plans, q.trim())
    .filter(
      (plan) =>
        (inOrgs.size === 0 || inOrgs.has(plan.organization)) &&
        (inCustomers.size === 0 || inCustomers.has(plan.customer)),
    )
  return sortRows(chosen, ({ plan_name }) => plan_name, descending)
}

/** The distinct values, sorted. */
export const distinct = (plans: readonly NamedPlan[], read: (plan: NamedPlan) => string) =>
  [...new Set(plans.map(read))].sort(compareNatural)

/** 'Everything', or the selected organizations, then the customers. */
export const formatScope = (orgs: readonly string[], customers: readonly string[]) =>
  [...orgs, ...customers].join(', ') || 'Everything'
