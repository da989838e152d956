import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { users } from '#contract/users.ts'
import { call } from '../../api.ts'

export const groupsQuery = queryOptions({
  queryKey: ['users', 'groups'],
  queryFn: async ({ signal }) => (await call(users.groups, {}, signal)).groups,
})

/** Changes users, then refetches every list that shows them. */
export function useUserChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) => ['users', 'access matrix'].includes(String(queryKey[0])),
      }),
  })
}
