import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AccessMatrix, access } from '#contract/access.ts'
import { call } from '../../api.ts'

export type MatrixUser = AccessMatrix['users'][number]
export type MatrixItem = AccessMatrix['items'][number]

export const matrixQuery = queryOptions({
  queryKey: ['access matrix'],
  queryFn: ({ signal }) => call(access.matrix, {}, signal),
})

export const effectiveQuery = (user_id: string) =>
  queryOptions({
    queryKey: ['access matrix', 'effective', user_id],
    queryFn: ({ signal }) => call(access.effective, { user_id }, signal),
  })

/** The value set for a user, or the default. */
export const getValue = ({ values }: AccessMatrix, user: MatrixUser, item: MatrixItem) =>
  values[user.id]?.[item.code] ?? item.default_value

export interface AccessChange {
  user_id: string
  item_code: string
  value: string
}

export const withValue = (
  matrix: AccessMatrix,
  { user_id, item_code }: AccessChange,
  value: string | undefined,
): AccessMatrix => {
  const { [item_code]: _, ...others } = matrix.values[user_id] ?? {}
  const own = value === undefined ? others : { ...others, [item_code]: value }
  return { ...matrix, values: { ...matrix.values, [user_id]: own } }
}

/** Shows a change at once and reverts that cell if the server refuses. */
export function useSetAccess(onFailure: (error: unknown) => void) {
  const queries = useQueryClient()
  const update = (change: AccessChange, value: string | undefined) =>
    queries.setQueryData(matrixQuery.queryKey, (matrix) => matrix && withValue(matrix, change, value))
  return useMutation({
    mutationFn: (change: AccessChange) => call(access.setValue, change),
    onMutate: async (change) => {
      // A response in flight would still have the old value.
      await queries.cancelQueries({ queryKey: matrixQuery.queryKey, exact: true })
      const before = queries.getQueryData(matrixQuery.queryKey)?.values[change.user_id]?.[change.item_code]
      update(change, change.value)
      return before
    },
    onError: (error, change, before) => {
      update(change, before)
      onFailure(error)
    },
    onSettled: (_data, _error, { user_id }) => queries.invalidateQueries(effectiveQuery(user_id)),
  })
}
