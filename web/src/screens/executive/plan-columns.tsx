import { formatCount } from '#contract/format/numbers.ts'
import type { Column } from '../../ui/data-table.ts'
import { createRowSearch } from '../../ui/row-search.ts'
import { countTerminals, formatKnownLimit, formatKnownPrice, planPriceUsd } from './figures.ts'
import type { NamedPlan } from './plans.ts'

export const planColumns: readonly Column<NamedPlan>[] = [
  {
    key: 'plan',
    header: 'Plan',
    widthPx: 280,
    search: ({ plan_name, customer }) => [plan_name, customer],
    cell: (plan) => <span title={plan.plan_name}>{plan.plan_name}</span>,
  },
  { key: 'limit', header: 'Limit', widthPx: 110, align: 'right', cell: (plan) => formatKnownLimit(plan.usage_limit) },
  {
    key: 'lines',
    header: 'Service Lines',
    widthPx: 130,
    align: 'right',
    search: (plan) => plan.service_lines.map(({ service_line }) => service_line),
    cell: (plan) => formatCount(plan.service_lines.length),
  },
  {
    key: 'terminals',
    header: 'Terminals',
    widthPx: 110,
    align: 'right',
    search: (plan) => plan.service_lines.map(({ kit_number }) => kit_number),
    cell: (plan) => formatCount(countTerminals(plan.service_lines)),
  },
  {
    key: 'price',
    header: 'Price',
    widthPx: 150,
    align: 'right',
    cell: (plan) => (
      <span title={`${formatKnownPrice(plan.price_usd)} a service line`}>{formatKnownPrice(planPriceUsd(plan))}</span>
    ),
  },
]

export const planSearch = createRowSearch(planColumns)
