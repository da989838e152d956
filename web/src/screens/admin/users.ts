import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type User, users } from '#contract/users.ts'
import { call } from '../../api.ts'
import { searchRows, sortRows } from '../../ui/table-rows.ts'

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => call(users.list, {}, signal),
})

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

const dateText = (moment: Date | null) => (moment ? moment.toISOString() : null)

/** What can be searched and sorted by, under the keys of the columns. */
export const userValues = {
  email: (user: User) => user.email,
  username: (user: User) => user.username,
  customerName: (user: User) => user.customerName,
  company: (user: User) => user.company,
  role: (user: User) => user.role,
  lastSignIn: (user: User) => dateText(user.lastSignIn),
} as const

export const isUserColumn = (key: string): key is keyof typeof userValues => Object.hasOwn(userValues, key)

const searched = Object.entries(userValues).flatMap(([key, value]) => (key === 'lastSignIn' ? [] : [value]))

export function arrangeUsers(
  all: readonly User[],
  text: string,
  sort: { key: string; descending: boolean } | undefined,
) {
  const found = searchRows(all, (user) => searched.map((value) => value(user)), text)
  return sort && isUserColumn(sort.key) ? sortRows(found, userValues[sort.key], sort.descending) : found
}
