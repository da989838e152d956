import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { TerminalListItem } from '#contract/terminals.ts'
import { detailsQuery, fleetQuery } from './fleet-queries.ts'
import { prepareSearch } from './fleet-search.ts'
import { type Feed, followFleet } from './live.ts'

/** The state of the stream that updates the lists while this page is mounted. */
function useFeed(wantsDetails: boolean) {
  const queries = useQueryClient()
  const [feed, setFeed] = useState<Feed>({ state: 'connecting', newestAtMs: null })
  useEffect(() => {
    const stop = new AbortController()
    followFleet({ queries, wantsDetails, onFeed: setFeed, signal: stop.signal })
    return () => {
      stop.abort()
      // From now on this cache receives no events.
      for (const { queryKey } of [fleetQuery, detailsQuery])
        void queries.invalidateQueries({ queryKey, refetchType: 'none' })
    }
  }, [queries, wantsDetails])
  return feed
}

function usePreparedSearch(terminals: readonly TerminalListItem[] | undefined) {
  useEffect(() => {
    const stop = new AbortController()
    if (terminals) prepareSearch(terminals, stop.signal)
    return () => stop.abort()
  }, [terminals])
}

/** Until the stream reports the newest sample, a cached list shows its own age. */
const withAge = (feed: Feed, asOfMs: number | undefined): Feed =>
  feed.newestAtMs === null && asOfMs !== undefined ? { ...feed, newestAtMs: asOfMs } : feed

/** The fleet, updated live. */
export function useLiveFleet() {
  const feed = useFeed(false)
  const fleet = useQuery(fleetQuery)
  usePreparedSearch(fleet.data?.terminals)
  return { fleet, feed: withAge(feed, fleet.data?.asOfMs) }
}

/** The fleet with usage and newest values, updated live. */
export function useLiveDetails() {
  const feed = useFeed(true)
  const details = useQuery(detailsQuery)
  usePreparedSearch(details.data?.terminals)
  return { details, feed: withAge(feed, details.data?.asOfMs) }
}
