import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { detailsQuery } from './details.ts'
import { fleetQuery } from './fleet.ts'
import { type Feed, followFleet } from './live.ts'

/** The fleet as it is now, and what is known of the stream that brings it. */
export function useLiveFleet() {
  const queries = useQueryClient()
  const fleet = useQuery(fleetQuery)
  const [feed, setFeed] = useState<Feed>({ state: 'connecting', newestAtMs: null })
  useEffect(() => {
    const stop = new AbortController()
    followFleet(queries, setFeed, stop.signal)
    return () => {
      stop.abort()
      // Nobody told this cache what happened in the meantime.
      void queries.invalidateQueries({ ...fleetQuery, refetchType: 'none' })
    }
  }, [queries])
  return { fleet, feed }
}

const refreshMs = 15_000

/** The fleet with usage and newest values. */
export function useLiveDetails() {
  const { feed } = useLiveFleet()
  return { details: useQuery({ ...detailsQuery, refetchInterval: refreshMs }), feed }
}
