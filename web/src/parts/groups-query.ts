import { queryOptions } from '@tanstack/react-query'
import { users } from '#contract/users.ts'
import { call } from '../api.ts'

/** The groups that have users or lines. A change of a user refetches them. */
export const groupsQuery = queryOptions({
  queryKey: ['users', 'groups'],
  queryFn: async ({ signal }) => (await call(users.groups, {}, signal)).groups,
})
