import { queryOptions } from '@tanstack/react-query'
import { savedViews } from '#contract/saved-views.ts'
import { call } from '../../api.ts'

export const viewsQuery = queryOptions({
  queryKey: ['saved views'],
  queryFn: async ({ signal }) => (await call(savedViews.list, {}, signal)).views,
  staleTime: 60_000,
})
