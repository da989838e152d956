import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { factors } from '#contract/factors.ts'
import { call } from '../../api.ts'
import { ownActivityQuery } from './profile.ts'

export const ownFactorsQuery = queryOptions({
  queryKey: ['own factors'],
  queryFn: ({ signal }) => call(factors.list, {}, signal),
})

/** Changes the second factors, then refetches the queries that show them. */
export function useFactorChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ownFactorsQuery.queryKey })
      void queries.invalidateQueries({ queryKey: ownActivityQuery.queryKey })
    },
  })
}
