import { Anchor } from '@mantine/core'
import type { Pool } from '#contract/plans.ts'
import { ForecastMark } from '../../parts/forecast/ForecastMark.tsx'
import type { Column } from '../../ui/data-table.ts'
import { UsageBar } from './UsageBar.tsx'

const whole = new Intl.NumberFormat('en-US')

export const poolColumns = (onOpen: (pool: Pool) => void): Column<Pool>[] => [
  {
    key: 'id',
    header: 'Pool ID',
    widthPx: 85,
    isSortable: true,
    cell: (pool) => (
      <Anchor
        component="button"
        type="button"
        onClick={() => onOpen(pool)}
        aria-label={`Edit pool ${pool.virtual_plan_id}, ${pool.plan_name}`}
      >
        {pool.virtual_plan_id}
      </Anchor>
    ),
  },
  {
    key: 'name',
    header: 'Pool Name',
    widthPx: 190,
    cell: (pool) => <span title={pool.plan_name}>{pool.plan_name}</span>,
  },
  { key: 'behavior', header: 'Limit Behavior', widthPx: 145, cell: (pool) => pool.over_limit_behavior },
  {
    key: 'limit',
    header: 'Usage Limit (GB)',
    widthPx: 155,
    align: 'right',
    isSortable: true,
    cell: (pool) => whole.format(pool.total_limit),
  },
  {
    key: 'lines',
    header: 'Total Service Lines',
    widthPx: 155,
    align: 'right',
    cell: (pool) => whole.format(pool.assigned_service_lines.length),
  },
  {
    key: 'used',
    header: 'Used',
    widthPx: 200,
    cell: (pool) => <UsageBar usedGb={pool.current_usage} limitGb={pool.total_limit} />,
  },
  { key: 'forecast', header: 'Forecast', widthPx: 310, cell: (pool) => <ForecastMark forecast={pool.forecast} /> },
]
