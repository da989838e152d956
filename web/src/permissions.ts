import { queryOptions, useQuery } from '@tanstack/react-query'
import { access, type Permissions } from '#contract/access.ts'
import type { FeatureItem } from '#contract/features.ts'
import { callOrCached } from './cached-call.ts'
import { useSession } from './session.ts'

const permissionsQuery = (items: readonly FeatureItem[]) =>
  queryOptions({
    queryKey: ['permissions', ...items],
    queryFn: ({ signal }) => callOrCached(access.myEffective, items.length > 0 ? { items: [...items] } : {}, signal),
    staleTime: 60_000,
  })

/**
 * The permissions of the signed-in user, for the named items or all. Nothing is permitted until they are
 * loaded.
 */
export function usePermissions(...items: FeatureItem[]): Permissions {
  const { state } = useSession()
  const { data } = useQuery({ ...permissionsQuery(items), enabled: state === 'signed in' })
  return (state === 'signed in' && data) || {}
}
