import { queryOptions, useQuery } from '@tanstack/react-query'
import { access, type Permissions } from '#contract/access.ts'
import { call } from './api.ts'
import { useSession } from './session.ts'

export type PermissionItem = Exclude<keyof Permissions, 'version'>

const permissionsQuery = (items: readonly PermissionItem[]) =>
  queryOptions({
    queryKey: ['permissions', ...items],
    queryFn: ({ signal }) => call(access.myEffective, { items: [...items] }, signal),
    staleTime: 60_000,
  })

/** What the signed-in person may do; nothing while it is not known, and nothing when it cannot be known. */
export function usePermissions(...items: PermissionItem[]): Permissions {
  const { state } = useSession()
  const { data } = useQuery({ ...permissionsQuery(items), enabled: state === 'signed in' })
  return (state === 'signed in' && data) || {}
}
