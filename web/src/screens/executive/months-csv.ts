import type { CsvColumn } from '#contract/csv.ts'
import type { ExecutiveMonths, PlanMonths } from '#contract/executive.ts'
import { findPartStart, getCustomer, parseOrganization } from '#contract/executive-sums.ts'

/** One row per plan: its owner, and its data, price and lines in each month. */
export const monthCsvColumns = ({ months, firstDays, comparedDays }: ExecutiveMonths): CsvColumn<PlanMonths>[] => {
  const listMonthly = (
    name: string,
    read: (plan: PlanMonths, at: number) => number | undefined,
    { isData = false } = {},
  ) =>
    months.map(
      (month, at): CsvColumn<PlanMonths> => ({
        header: `${name} ${month}${isData && findPartStart(firstDays[at]) ? ` since ${firstDays[at]}` : ''}`,
        value: (plan) => (firstDays[at] === null ? null : read(plan, at)),
      }),
    )
  return [
    { header: 'Plan', value: ({ plan_name }) => plan_name },
    { header: 'Organization', value: ({ plan_name }) => parseOrganization(plan_name) },
    { header: 'Customer', value: getCustomer },
    ...listMonthly('Data (GB)', (plan, at) => plan.data_GB[at], { isData: true }),
    ...listMonthly('Est. price (USD)', (plan, at) => plan.price_usd[at]),
    ...listMonthly('Lines', (plan, at) => plan.lines[at]),
    { header: `First ${comparedDays} days (GB)`, value: ({ compared_GB }) => compared_GB },
    { header: `First ${comparedDays} days of the month before (GB)`, value: ({ before_GB }) => before_GB },
  ]
}
