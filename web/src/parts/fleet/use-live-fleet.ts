import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { TerminalDetailsItem } from '#contract/terminals.ts'
import type { RowSearch } from '../../ui/row-search.ts'
import { detailsQuery, fleetQuery } from './fleet-queries.ts'
import { useFreshness } from './freshness.ts'
import { listSearch } from './list-columns.ts'
import { type Feed, followFleet, unknownFeed } from './live.ts'

/** The state of the stream that updates the lists while this page is mounted. */
function useFeed(wantsDetails: boolean) {
  const queries = useQueryClient()
  const [feed, setFeed] = useState(unknownFeed)
  const retry = useRef(() => {})
  useEffect(() => {
    const stop = new AbortController()
    retry.current = followFleet({ queries, wantsDetails, onFeed: setFeed, signal: stop.signal })
    return () => {
      stop.abort()
      // From now on this cache receives no events.
      for (const { queryKey } of [fleetQuery, detailsQuery])
        void queries.invalidateQueries({ queryKey, refetchType: 'none' })
    }
  }, [queries, wantsDetails])
  return { feed, retry: useCallback(() => retry.current(), []) }
}

function usePreparedSearch<Row extends object>(rows: readonly Row[] | undefined, search: RowSearch<Row>) {
  useEffect(() => {
    const stop = new AbortController()
    if (rows) search.prepare(rows, stop.signal)
    return () => stop.abort()
  }, [rows, search])
}

/** Until the stream reports the newest sample, a cached list shows its own age. */
const withAge = (feed: Feed, asOfMs: number | undefined): Feed =>
  feed.newestAtMs === null && asOfMs !== undefined ? { ...feed, newestAtMs: asOfMs } : feed

/** The fleet, updated live. */
export function useLiveFleet() {
  const { feed, retry } = useFeed(false)
  const fleet = useQuery(fleetQuery)
  usePreparedSearch(fleet.data?.terminals, listSearch)
  return { fleet, freshness: useFreshness(withAge(feed, fleet.data?.asOfMs)), retry }
}

/** The fleet with usage and newest values, updated live. */
export function useLiveDetails(search: RowSearch<TerminalDetailsItem>) {
  const { feed, retry } = useFeed(true)
  const details = useQuery(detailsQuery)
  usePreparedSearch(details.data?.terminals, search)
  return { details, freshness: useFreshness(withAge(feed, details.data?.asOfMs)), retry }
}
