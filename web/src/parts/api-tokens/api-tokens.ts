import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { apiTokens } from '#contract/api-tokens.ts'
import { type Scope, scopes } from '#contract/scopes.ts'
import { call } from '../../api.ts'

export const ownTokensQuery = queryOptions({
  queryKey: ['api tokens', 'own'],
  queryFn: async ({ signal }) => (await call(apiTokens.listOwn, {}, signal)).tokens,
})

export const allTokensQuery = queryOptions({
  queryKey: ['api tokens', 'all'],
  queryFn: async ({ signal }) => (await call(apiTokens.list, {}, signal)).tokens,
})

/** The name of a scope; the code itself if a newer server sends one that this page does not know. */
export const nameScope = (scope: string) => scopes[scope as Scope] ?? scope

/** Creates or revokes a token, then refetches every list that shows it. */
export function useTokenChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) => ['api tokens', 'access matrix'].includes(String(queryKey[0])),
      }),
  })
}
