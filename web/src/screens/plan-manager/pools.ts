import { queryOptions } from '@tanstack/react-query'
import { type PoolLine, plans } from '#contract/plans.ts'
import { call } from '../../api.ts'

export const availableLinesQuery = queryOptions({
  queryKey: ['pools', 'available lines'],
  queryFn: async ({ signal }) => (await call(plans.availableLines, {}, signal)).data,
})

export const outlookQuery = (poolId: string) =>
  queryOptions({
    queryKey: ['pools', 'outlook', poolId],
    queryFn: ({ signal }) => call(plans.outlook, { virtual_plan_id: poolId }, signal),
  })

/** The names of a line: its label shows all of them, and a search matches each. */
export const listLineNames = ({ service_line, nickname, kit_number }: PoolLine) => [service_line, nickname, kit_number]
