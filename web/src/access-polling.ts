import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { access } from '#contract/access.ts'
import { call } from './api.ts'
import { useSession } from './session.ts'

const pollIntervalMs = 5_000

/**
 * While a page is visible, polls whether the user's permissions have changed. If so, every query is refetched: controls
 * appear and disappear without a reload. If the session has ended, the user is signed out.
 */
export function useAccessPolling() {
  const queries = useQueryClient()
  const { state } = useSession()
  const { data: version } = useQuery({
    queryKey: ['access version'],
    queryFn: async ({ signal }) => (await call(access.myEffective, { items: [] }, signal)).version ?? null,
    enabled: state === 'signed in',
    refetchInterval: pollIntervalMs,
    refetchOnWindowFocus: true,
    staleTime: pollIntervalMs,
    retry: false,
  })
  const lastVersion = useRef(version)
  useEffect(() => {
    const before = lastVersion.current
    lastVersion.current = version
    if (before === undefined || version === undefined || before === version) return
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] !== 'tenant' && queryKey[0] !== 'access version',
    })
  }, [queries, version])
}
