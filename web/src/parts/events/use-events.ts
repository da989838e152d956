import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { type EventKind, eventKinds, events } from '#contract/events.ts'
import { call } from '../../api.ts'
import { announcedQuery } from '../fleet/announced-events.ts'
import { type EventPages, prependEvents } from './event-pages.ts'

const MAX_NEW = 200

interface EventChoice {
  /** Only events of this line. */
  terminal?: string | undefined
  kinds?: readonly EventKind[] | undefined
  /** The time in the past that is shown. */
  at?: string | undefined
}

/** Events, newest first, page by page. New ones appear as the stream announces them. */
export function useEvents({ terminal, kinds = eventKinds, at }: EventChoice) {
  const queries = useQueryClient()
  const key = JSON.stringify([terminal, kinds, at])
  const queryKey = useMemo(() => ['events', 'list', key], [key])
  const input = useMemo(() => {
    const [line, chosen, time] = JSON.parse(key) as [string | null, string[], string | null]
    return {
      ...(line !== null && { terminal: line }),
      ...(chosen.length < eventKinds.length && { kinds: chosen }),
      ...(time !== null && { at: new Date(time) }),
    }
  }, [key])
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => call(events.list, { ...input, before: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // Events that arrive while this is unmounted are not added.
    gcTime: 0,
  })
  const { data: announced } = useQuery(announcedQuery)
  const { isSuccess } = query
  useEffect(() => {
    // Events announced while the first page loads are added once it has loaded.
    if (announced === 0 || at !== undefined || !isSuccess) return
    const stop = new AbortController()
    const add = async () => {
      const held = queries.getQueryData<EventPages>(queryKey)
      if (!held) return
      const after = held.pages[0]?.events[0]?.id
      const newer = await call(events.list, { ...input, after, limit: MAX_NEW }, stop.signal)
      if (newer.next !== null) return void queries.resetQueries({ queryKey })
      queries.setQueryData<EventPages>(queryKey, (pages) => pages && prependEvents(pages, newer.events))
    }
    add().catch((error) => {
      if (!stop.signal.aborted) console.warn('New events could not be loaded:', error)
    })
    return () => stop.abort()
  }, [announced, at, isSuccess, queries, queryKey, input])
  const list = useMemo(() => query.data?.pages.flatMap((page) => page.events), [query.data])
  return { ...query, events: list }
}
