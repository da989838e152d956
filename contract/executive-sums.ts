import type { Plan, PlanMonths } from './executive.ts'

const planNamePattern = /^(\p{Lu}+)-/u

/** The text before the first dash, if it is uppercase letters only; otherwise the plan has no organization. */
export const parseOrganization = (planName: string): string | null => planNamePattern.exec(planName)?.[1] ?? null

/** The plan's customer, or else the first two parts of its name. */
export const getCustomer = ({ customer_group, plan_name }: Pick<Plan, 'customer_group' | 'plan_name'>): string =>
  customer_group || plan_name.split('-').slice(0, 2).join('-')

/** The first known day of a month of which the days before it are not known. */
export const findPartStart = (firstDay: string | null | undefined) =>
  firstDay && !firstDay.endsWith('-01') ? firstDay : undefined

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

/**
 * Totals of plans, grouped by the name that `getName` returns; sorted by data in the last month, descending.
 */
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

/** The totals that changed most against the same days of the previous month, largest change first. */
export const listMoves = (totals: readonly MonthTotal[], most: number) =>
  totals
    .filter(({ comparedGb, beforeGb }) => comparedGb !== beforeGb)
    .sort((a, b) => Math.abs(b.comparedGb - b.beforeGb) - Math.abs(a.comparedGb - a.beforeGb))
    .slice(0, most)
