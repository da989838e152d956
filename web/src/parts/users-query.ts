import { queryOptions } from '@tanstack/react-query'
import { users } from '#contract/users.ts'
import { call } from '../api.ts'

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => call(users.list, {}, signal),
})
