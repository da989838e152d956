import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { TerminalListItem } from '#contract/terminals.ts'
import { detailsQuery, fleetQuery } from './fleet-queries.ts'
import { prepareSearch } from './fleet-search.ts'
import { type Feed, followFleet } from './live.ts'

/** What is known of the stream that keeps the lists of this page up to date while it is shown. */
function useFeed(wantsDetails: boolean) {
  const queries = useQueryClient()
  const [feed, setFeed] = useState<Feed>({ state: 'connecting', newestAtMs: null })
  useEffect(() => {
    const stop = new AbortController()
    followFleet({ queries, wantsDetails, onFeed: setFeed, signal: stop.signal })
    return () => {
      stop.abort()
      // Nobody tells this cache what happens from now on.
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

/** Until the stream tells how old the newest sample is, the list of an earlier visit has the age of that. */
const withAge = (feed: Feed, asOfMs: number | undefined): Feed =>
  feed.newestAtMs === null && asOfMs !== undefined ? { ...feed, newestAtMs: asOfMs } : feed

/** The fleet as it is now. */
export function useLiveFleet() {
  const feed = useFeed(false)
  const fleet = useQuery(fleetQuery)
  usePreparedSearch(fleet.data?.terminals)
  return { fleet, feed: withAge(feed, fleet.data?.asOfMs) }
}

/** The fleet with usage and newest values, as it is now. */
export function useLiveDetails() {
  const feed = useFeed(true)
  const details = useQuery(detailsQuery)
  usePreparedSearch(details.data?.terminals)
  return { details, feed: withAge(feed, details.data?.asOfMs) }
}
