import type { QueryClient } from '@tanstack/react-query'
import { announceEvents } from './announced-events.ts'
import { applyChanges, type ChangesWire, compareRevision } from './apply-changes.ts'
import { addToBacklog } from './event-backlog.ts'
import { cacheLists, detailsQuery, fleetQuery } from './fleet-queries.ts'
import { readStream } from './read-stream.ts'
import { type EventWire, readDetailsItem, readListItem } from './read-terminal.ts'

/** The state of the stream, and when the newest sample was taken. */
export interface Feed {
  state: 'connecting' | 'live' | 'paused'
  newestAtMs: number | null
  /** Since when the stream has been broken, if it is. */
  pausedAtMs: number | null
}

export const unknownFeed: Feed = { state: 'connecting', newestAtMs: null, pausedAtMs: null }

type Message =
  | { kind: 'event'; text: string }
  | { kind: 'state'; feed: Feed }
  | { kind: 'hello'; wantsDetails: boolean }
  | { kind: 'retry' }

interface Options {
  queries: QueryClient
  wantsDetails: boolean
  onFeed: (feed: Feed) => void
  signal: AbortSignal
}

/**
 * Returns a function that reopens a broken stream at once. Keeps the fleet in the query cache up to date until `signal` aborts.
 * One stream serves the whole browser: the tab that holds the lock reads it and forwards it to the others, because HTTP/1.1
 * allows six connections and users open many tabs. It includes details as soon as one of the tabs needs them.
 */
export function followFleet({ queries, wantsDetails, onFeed, signal }: Options) {
  const channel = new BroadcastChannel('dishboard:live')
  let feed = unknownFeed
  const setFeed = (change: Partial<Feed>) => {
    feed = { ...feed, ...change }
    onFeed(feed)
  }
  // The time up to which the lists are complete.
  let receivedAtMs: number | undefined
  const cacheReceived = () => {
    if (receivedAtMs !== undefined) cacheLists(queries, receivedAtMs)
  }
  const receive = (message: Message) => {
    if (message.kind === 'state') {
      setFeed(message.feed)
      if (message.feed.state === 'paused') cacheReceived()
    }
    if (message.kind !== 'event') return
    receivedAtMs = Date.now()
    // Events may have been missed while there was no stream.
    if (feed.state !== 'live') announceEvents(queries)
    setFeed({ state: 'live', pausedAtMs: null, ...applyEventText(queries, message.text, feed) })
  }
  const publish = (message: Message) => {
    channel.postMessage(message)
    receive(message)
  }
  let someoneWantsDetails = wantsDetails
  let reopen: (() => void) | undefined
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'retry') return reopen?.()
    if (data.kind !== 'hello') return receive(data)
    const isWider = data.wantsDetails && !someoneWantsDetails
    someoneWantsDetails ||= data.wantsDetails
    if (!reopen) return
    channel.postMessage({ kind: 'state', feed } satisfies Message)
    if (isWider) reopen()
  }
  channel.postMessage({ kind: 'hello', wantsDetails } satisfies Message)
  signal.addEventListener('abort', () => channel.close())
  document.addEventListener('visibilitychange', () => document.hidden && cacheReceived(), { signal })
  window.addEventListener('offline', cacheReceived, { signal })

  const readAsLeader = () =>
    readStream({
      signal,
      buildInput: () => ({ since: findOldestRevision(queries), details: someoneWantsDetails || undefined }),
      onEvent: (text) => publish({ kind: 'event', text }),
      onPause: () =>
        publish({ kind: 'state', feed: { ...feed, state: 'paused', pausedAtMs: feed.pausedAtMs ?? Date.now() } }),
      onReopen: (next) => {
        reopen = next
      },
    })
  const reading = navigator.locks ? navigator.locks.request('dishboard:live', { signal }, readAsLeader) : readAsLeader()
  reading.catch((error) => {
    if (!signal.aborted) console.error('The live stream stopped:', error)
  })
  return () => (reopen ? reopen() : channel.postMessage({ kind: 'retry' } satisfies Message))
}

/** The older revision of this tab's lists, so that the stream covers both. */
function findOldestRevision(queries: QueryClient) {
  const held = [fleetQuery, detailsQuery].flatMap(
    ({ queryKey }) => queries.getQueryData<{ revision?: string }>(queryKey)?.revision ?? [],
  )
  return held.reduce<string | undefined>(
    (oldest, revision) =>
      oldest !== undefined && compareRevision(oldest, oldest, revision) !== 'known' ? oldest : revision,
    undefined,
  )
}

/** Applies an event to the cache. Returns the time of the newest sample, if the event has it. */
function applyEventText(queries: QueryClient, text: string, { newestAtMs: knownMs }: Feed): Partial<Feed> {
  const event: EventWire = JSON.parse(text)
  const nowMs = Date.now()
  if (event.kind === 'feed') {
    for (const { queryKey } of [fleetQuery, detailsQuery])
      refetchIfBehind(queries, queryKey, event.revision, event.revision)
    return { newestAtMs: event.ageS === null ? null : nowMs - event.ageS * 1000 }
  }
  if (event.kind === 'events') announceEvents(queries)
  if (event.kind !== 'changes') return {}
  addToBacklog(event)
  const { since, revision } = event
  // A list that the event does not follow is not written: a write would also mark it as fresh.
  queries.setQueryData(fleetQuery.queryKey, (fleet) =>
    fleet && compareRevision(fleet.revision, since, revision) === 'next'
      ? applyChanges(fleet, event, readListItem, nowMs)
      : undefined,
  )
  queries.setQueryData(detailsQuery.queryKey, (details) =>
    details && compareRevision(details.revision, since, revision) === 'next'
      ? applyChanges(details, event, readDetailsItem, nowMs)
      : undefined,
  )
  for (const { queryKey } of [fleetQuery, detailsQuery]) refetchIfBehind(queries, queryKey, since, revision)
  const newestAtMs = findNewestSampleMs(event)
  // A terminal that stopped reporting has an older time than the others.
  return newestAtMs === undefined ? {} : { newestAtMs: Math.max(newestAtMs, knownMs ?? 0) }
}

function refetchIfBehind(queries: QueryClient, queryKey: readonly unknown[], since: string, revision: string) {
  const held = queries.getQueryData<{ revision?: string }>(queryKey)
  // A list that is loading will be newer than this event.
  if (!held || queries.isFetching({ queryKey }) > 0) return
  if (compareRevision(held.revision, since, revision) === 'gap') void queries.invalidateQueries({ queryKey })
}

/** Undefined leaves the time unchanged: terminals that stopped reporting have no newer sample. */
function findNewestSampleMs({ terminals, changes }: ChangesWire) {
  let newest: number | undefined
  for (const { lastSeen } of [...terminals, ...changes] as { lastSeen?: string | null }[]) {
    if (lastSeen) newest = Math.max(newest ?? 0, Date.parse(lastSeen))
  }
  return newest
}
