import type { Plan, PlanLine } from '#contract/executive.ts'
import { formatChange, formatUsd } from '#contract/format/numbers.ts'
import { formatExactGb, formatLimit } from '#contract/format/units.ts'

const millionths = 1_000_000

/** Price times lines in whole millionths of a dollar, so that thousands of plans add up without rounding errors. */
const sumCost = ({ price_usd, service_lines }: Plan) =>
  price_usd === null ? 0 : Math.round(price_usd * service_lines.length * millionths)

const toDollars = (cost: number) => Math.round(cost / (millionths / 100)) / 100

/** The total price of the plan's lines, to the cent; null if unknown. */
export const planPriceUsd = (plan: Plan) => (plan.price_usd === null ? null : toDollars(sumCost(plan)))

export interface Summary {
  subscriptions: number
  terminals: number
  priceUsd: number
  /** Lines without a price in US dollars. */
  unpricedLines: number
  /** How many plans have each limit, smallest limit first. */
  limits: { label: string; plans: number }[]
}

export const countTerminals = (lines: readonly PlanLine[]) =>
  new Set(lines.map(({ kit_number }) => kit_number).filter(Boolean)).size

export function summarize(plans: readonly Plan[]): Summary {
  const kits = new Set<string>()
  const limits = new Map<string, { label: string; gb: number; plans: number }>()
  let subscriptions = 0
  let unpricedLines = 0
  let cost = 0
  for (const plan of plans) {
    subscriptions += plan.service_lines.length
    cost += sumCost(plan)
    if (plan.price_usd === null) unpricedLines += plan.service_lines.length
    for (const { kit_number } of plan.service_lines) if (kit_number) kits.add(kit_number)
    const label = formatKnownLimit(plan.usage_limit)
    const known = limits.get(label) ?? { label, gb: plan.usage_limit ?? Number.POSITIVE_INFINITY, plans: 0 }
    limits.set(label, { ...known, plans: known.plans + 1 })
  }
  return {
    subscriptions,
    terminals: kits.size,
    priceUsd: toDollars(cost),
    unpricedLines,
    limits: [...limits.values()]
      .sort((a, b) => a.gb - b.gb)
      .map(({ label, plans: count }) => ({ label, plans: count })),
  }
}

export const formatKnownLimit = (gb: number | null) => (gb === null ? 'N/A' : formatLimit(gb))

export const formatKnownPrice = (usd: number | null) => (usd === null ? 'N/A' : formatUsd(usd))

/** The price of one line; the table of plans shows that of all. */
export const formatLinePrice = (usd: number | null) => (usd === null ? 'N/A' : `${formatUsd(usd)} per line`)

export const formatKnownUsage = (gb: number | null) => (gb === null ? '-' : formatExactGb(gb))

/**
 * Compared with the same days of last month, with the difference: 'Higher +12%'. A dash when equal or unknown. Older
 * responses have only the total of last month.
 */
export function formatComparison({ total_usage, last_month_usage, last_month_to_date }: PlanLine) {
  const before = last_month_to_date === undefined ? last_month_usage : last_month_to_date
  if (total_usage === null || before === null || total_usage === before) return '-'
  const word = total_usage > before ? 'Higher' : 'Lower'
  return before === 0 ? word : `${word} ${formatChange(total_usage / before - 1)}`
}
