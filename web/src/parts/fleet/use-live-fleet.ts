import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { TerminalDetailsItem, TerminalListItem } from '#contract/terminals.ts'
import { useAt } from '../../past-search.ts'
import type { RowSearch } from '../../ui/row-search.ts'
import type { Fleet } from './fleet.ts'
import { detailsQuery, fleetQuery, pastDetailsQuery, pastFleetQuery } from './fleet-queries.ts'
import { describePast, isStale, useFreshness, useLastingDisconnection } from './freshness.ts'
import { listSearch } from './list-columns.ts'
import { type Feed, followFleet, unknownFeed } from './live.ts'

/** The state of the stream that updates the lists while this page is mounted. */
function useFeed(wantsDetails: boolean, isPaused: boolean) {
  const queries = useQueryClient()
  const [feed, setFeed] = useState(unknownFeed)
  const retry = useRef(() => {})
  useEffect(() => {
    if (isPaused) return
    const stop = new AbortController()
    retry.current = followFleet({ queries, wantsDetails, onFeed: setFeed, signal: stop.signal })
    return () => {
      stop.abort()
      // From here on, this cache receives no events.
      for (const { queryKey } of [fleetQuery, detailsQuery])
        void queries.invalidateQueries({ queryKey, refetchType: 'none' })
    }
  }, [queries, wantsDetails, isPaused])
  return { feed, retry: useCallback(() => retry.current(), []) }
}

/** Follows the stream on a page without a list of terminals. */
export const useStream = () => void useFeed(false, false)

function usePreparedSearch<Row extends object>(rows: readonly Row[] | undefined, search: RowSearch<Row>) {
  useEffect(() => {
    const stop = new AbortController()
    if (rows) search.prepare(rows, stop.signal)
    return () => stop.abort()
  }, [rows, search])
}

/** Until the stream reports the newest sample, a list shows its own age. */
const withAge = (feed: Feed, asOfMs: number | undefined): Feed =>
  feed.newestAtMs === null && asOfMs !== undefined ? { ...feed, newestAtMs: asOfMs } : feed

/** The feed of the page's list, for what is shown over the page. */
const feedQuery = queryOptions<Feed>({ queryKey: ['feed'], queryFn: skipToken })

function usePublishedFeed(feed: Feed) {
  const queries = useQueryClient()
  // Keeps the value in the cache for as long as the page is open.
  useQuery({ ...feedQuery, notifyOnChangeProps: [] })
  useEffect(() => void queries.setQueryData(feedQuery.queryKey, feed), [queries, feed])
  useEffect(() => () => void queries.setQueryData(feedQuery.queryKey, unknownFeed), [queries])
}

/** A list of the past is as fresh as it was at that time. */
function useListFreshness(feed: Feed, at: string | undefined, list: Pick<Fleet, 'asOfMs' | 'past'> | undefined) {
  usePublishedFeed(feed)
  const present = useLastingDisconnection(useFreshness(withAge(feed, list?.asOfMs)), list?.asOfMs)
  return at === undefined ? present : describePast(at, list?.past)
}

/** The fleet, updated live, or as it was at the time in the URL. */
export function useLiveFleet() {
  const at = useAt()
  const { feed, retry } = useFeed(false, at !== undefined)
  const present = useQuery({ ...fleetQuery, enabled: at === undefined })
  const past = useQuery({ ...pastFleetQuery(at ?? ''), enabled: at !== undefined })
  const fleet = at === undefined ? present : past
  usePreparedSearch(fleet.data?.terminals, listSearch)
  return { fleet, freshness: useListFreshness(feed, at, fleet.data), retry }
}

/** The same with usage and newest values. */
export function useLiveDetails(search: RowSearch<TerminalDetailsItem>) {
  const at = useAt()
  const { feed, retry } = useFeed(true, at !== undefined)
  const present = useQuery({ ...detailsQuery, enabled: at === undefined })
  const past = useQuery({ ...pastDetailsQuery(at ?? ''), enabled: at !== undefined })
  const details = at === undefined ? present : past
  usePreparedSearch(details.data?.terminals, search)
  return { details, freshness: useListFreshness(feed, at, details.data), retry }
}

/**
 * Whether the statuses of a list that is shown over a page may be out of date. Over a page that does not follow the
 * stream, the terminals that are online, and therefore report, tell its age.
 */
export function useIsListStale(list: Fleet | undefined) {
  const asOfMs = useMemo(() => list?.asOfMs ?? findNewestReportMs(list?.terminals ?? []), [list])
  const { data: feed = unknownFeed } = useQuery(feedQuery)
  return isStale(useFreshness(withAge(feed, asOfMs)))
}

const findNewestReportMs = (terminals: readonly TerminalListItem[]) =>
  terminals
    .filter(({ status }) => status === 'online')
    .reduce<number | undefined>(
      (newestMs, { lastSeen }) => (lastSeen ? Math.max(lastSeen.getTime(), newestMs ?? 0) : newestMs),
      undefined,
    )
