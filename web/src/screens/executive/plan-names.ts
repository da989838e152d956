import type { Plan } from '#contract/executive.ts'

const planNamePattern = /^(\p{Lu}+)-/u

/** The text before the first dash, if it is uppercase letters only; otherwise the plan has no organization. */
export const parseOrganization = (planName: string): string | null => planNamePattern.exec(planName)?.[1] ?? null

/** The customer that the plan names, otherwise the first two parts of its name. */
export const getCustomer = ({ customer_group, plan_name }: Pick<Plan, 'customer_group' | 'plan_name'>): string =>
  customer_group || plan_name.split('-').slice(0, 2).join('-')
