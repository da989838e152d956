import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { access } from '#contract/access.ts'
import { call } from './api.ts'
import { useSession } from './session.ts'

const pollIntervalMs = 5_000

/**
 * While somebody looks at a page, asks every few seconds whether what they may see and do has changed. If so, everything
 * they hold is asked for anew: controls appear and go without a reload. A session that was ended signs them out.
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
  const known = useRef(version)
  useEffect(() => {
    const before = known.current
    known.current = version
    if (before === undefined || version === undefined || before === version) return
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] !== 'tenant' && queryKey[0] !== 'access version',
    })
  }, [queries, version])
}
