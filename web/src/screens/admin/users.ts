import { useMutation, useQueryClient } from '@tanstack/react-query'

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
