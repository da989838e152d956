import { queryOptions } from '@tanstack/react-query'
import { plans } from '#contract/plans.ts'
import { call } from '../api.ts'

export const poolsQuery = queryOptions({
  queryKey: ['pools'],
  queryFn: async ({ signal }) => (await call(plans.list, {}, signal)).data,
})
