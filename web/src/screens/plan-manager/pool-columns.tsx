import { Anchor } from '@mantine/core'
import { formatCount } from '#contract/format/numbers.ts'
import type { Pool } from '#contract/plans.ts'
import { ForecastMark } from '../../parts/forecast/ForecastMark.tsx'
import type { PageColumn } from '../../ui/data-table.ts'
import { createRowSearch } from '../../ui/row-search.ts'
import { type Sort, sortByColumn } from '../../ui/table-rows.ts'
import classes from './pool-columns.module.css'
import { listLineNames } from './pools.ts'
import { UsageBar } from './UsageBar.tsx'

interface PoolsPage {
  onOpen: (pool: Pool) => void
}

export const poolColumns: readonly PageColumn<Pool, PoolsPage>[] = [
  {
    key: 'id',
    header: 'Pool ID',
    widthPx: 76,
    sortValue: ({ virtual_plan_id }) => Number(virtual_plan_id),
    search: ({ virtual_plan_id }) => virtual_plan_id,
    cell: (pool, { onOpen }) => (
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
    widthPx: 232,
    search: ({ plan_name }) => plan_name,
    cell: (pool) => <span title={pool.plan_name}>{pool.plan_name}</span>,
  },
  { key: 'behavior', header: 'Limit Behavior', widthPx: 148, cell: (pool) => pool.over_limit_behavior },
  {
    key: 'limit',
    header: 'Usage Limit (GB)',
    widthPx: 146,
    align: 'right',
    sortValue: ({ total_limit }) => total_limit,
    cell: (pool) => formatCount(pool.total_limit),
  },
  {
    key: 'lines',
    header: 'Total Service Lines',
    widthPx: 154,
    align: 'right',
    search: ({ assigned_service_lines }) => assigned_service_lines.flatMap(listLineNames),
    cell: (pool) => formatCount(pool.assigned_service_lines.length),
  },
  {
    key: 'used',
    header: 'Used',
    widthPx: 270,
    align: 'right',
    cell: (pool) => <UsageBar usedGb={pool.current_usage} limitGb={pool.total_limit} />,
  },
  {
    key: 'forecast',
    header: 'Forecast',
    widthPx: 220,
    cell: (pool) => (
      <div className={classes.twoLines}>
        <ForecastMark forecast={pool.forecast} />
      </div>
    ),
  },
]

const search = createRowSearch(poolColumns)

export const arrangePools = (pools: readonly Pool[], text: string, sort: Sort | undefined) =>
  sortByColumn(search.find(pools, text.trim()), poolColumns, sort)
