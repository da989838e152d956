import { queryOptions } from '@tanstack/react-query'
import { type Pool, plans } from '#contract/plans.ts'
import { call } from '../../api.ts'
import { type Sort, searchRows, sortRows } from '../../ui/table-rows.ts'

export const poolsQuery = queryOptions({
  queryKey: ['pools'],
  queryFn: async ({ signal }) => (await call(plans.list, {}, signal)).data,
})

export const availableLinesQuery = queryOptions({
  queryKey: ['pools', 'available lines'],
  queryFn: async ({ signal }) => (await call(plans.availableLines, {}, signal)).data,
})

export const outlookQuery = (poolId: string) =>
  queryOptions({
    queryKey: ['pools', 'outlook', poolId],
    queryFn: ({ signal }) => call(plans.outlook, { virtual_plan_id: poolId }, signal),
  })

const sortable = {
  id: (pool: Pool) => Number(pool.virtual_plan_id),
  limit: (pool: Pool) => pool.total_limit,
}

const isSortable = (key: string): key is keyof typeof sortable => Object.hasOwn(sortable, key)

const searched = ({ virtual_plan_id, plan_name, assigned_service_lines }: Pool) => [
  virtual_plan_id,
  plan_name,
  ...assigned_service_lines.flatMap(({ service_line, nickname, kit_number }) => [service_line, nickname, kit_number]),
]

export function arrangePools(pools: readonly Pool[], text: string, sort: Sort | undefined) {
  const found = searchRows(pools, searched, text)
  return sort && isSortable(sort.key) ? sortRows(found, sortable[sort.key], sort.descending) : found
}
