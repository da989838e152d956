import type { QueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { LiveEvent, type TerminalListItem, terminals } from '#contract/terminals.ts'
import { open } from '../../api.ts'
import { readEvents } from './event-stream.ts'
import { applyEvent, type Fleet, fleetQuery } from './fleet.ts'

/** What is known of the stream: whether it runs, and when the newest sample was taken. */
export interface Feed {
  state: 'connecting' | 'live' | 'paused'
  newestAtMs: number | null
}

type Message = { kind: 'event'; text: string } | { kind: 'state'; state: Feed['state'] } | { kind: 'hello' }

const firstPauseMs = 1000
const longestPauseMs = 30_000
/** The server speaks at least every 15 s; a line that is silent for longer is dead, whatever TCP believes. */
const silenceMs = 45_000

/**
 * Keeps the fleet in the query cache up to date until `signal` aborts. One stream serves the whole browser: the tab that
 * holds the lock reads it and tells the others, because HTTP/1.1 allows six connections and people open many tabs.
 */
export function followFleet(queries: QueryClient, onFeed: (feed: Feed) => void, signal: AbortSignal) {
  const channel = new BroadcastChannel('dishboard:live')
  let feed: Feed = { state: 'connecting', newestAtMs: null }
  const setFeed = (change: Partial<Feed>) => {
    const newestAtMs = change.newestAtMs === undefined ? feed.newestAtMs : change.newestAtMs
    feed = { state: change.state ?? feed.state, newestAtMs }
    onFeed(feed)
  }
  const receive = (message: Message) => {
    if (message.kind === 'state') setFeed({ state: message.state })
    if (message.kind === 'event') applyText(queries, message.text, setFeed)
  }
  const tell = (message: Message) => {
    channel.postMessage(message)
    receive(message)
  }
  let leading = false
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'hello') receive(data)
    else if (leading) channel.postMessage({ kind: 'state', state: feed.state } satisfies Message)
  }
  channel.postMessage({ kind: 'hello' } satisfies Message)
  signal.addEventListener('abort', () => channel.close())

  const lead = async () => {
    leading = true
    await readUntil(signal, queries, tell)
  }
  const led = navigator.locks ? navigator.locks.request('dishboard:live', { signal }, lead) : lead()
  led.catch((error) => {
    if (!signal.aborted) console.error('The live stream stopped:', error)
  })
}

function applyText(queries: QueryClient, text: string, setFeed: (change: Partial<Feed>) => void) {
  const decoded = z.safeDecode(LiveEvent, JSON.parse(text))
  if (!decoded.success) return console.warn('An event of the live stream was not understood:', decoded.error)
  const event = decoded.data
  const now = Date.now()
  if (event.kind !== 'feed') {
    queries.setQueryData<Fleet>(fleetQuery.queryKey, (fleet) => fleet && applyEvent(fleet, event, now))
    return setFeed({ state: 'live', ...(event.kind === 'terminals' && { newestAtMs: newestOf(event.terminals) }) })
  }
  setFeed({ state: 'live', newestAtMs: event.ageS === null ? null : now - event.ageS * 1000 })
  const held = queries.getQueryData(fleetQuery.queryKey)?.revision
  if (held !== undefined && held !== event.revision) void queries.invalidateQueries(fleetQuery)
}

/** Undefined leaves the time as it is: terminals that fell silent bring no newer one. */
function newestOf(terminals: readonly TerminalListItem[]) {
  const times = terminals.flatMap(({ lastSeen }) => (lastSeen ? [lastSeen.getTime()] : []))
  return times.length > 0 ? times.reduce((a, b) => Math.max(a, b)) : undefined
}

async function readUntil(signal: AbortSignal, queries: QueryClient, tell: (message: Message) => void) {
  let pauseMs = firstPauseMs
  while (!signal.aborted) {
    try {
      // First the list: the stream then tells what happened since.
      const { revision: since } = await queries.ensureQueryData(fleetQuery)
      await readOnce(signal, since, (text) => {
        pauseMs = firstPauseMs
        tell({ kind: 'event', text })
      })
    } catch (error) {
      if (signal.aborted) return
      console.warn('The live stream broke:', error)
    }
    if (signal.aborted) return
    tell({ kind: 'state', state: 'paused' })
    await pause(pauseMs * (0.75 + Math.random() / 2), signal)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}

async function readOnce(signal: AbortSignal, since: string | undefined, onEvent: (text: string) => void) {
  const silence = new AbortController()
  const armed = () => setTimeout(() => silence.abort(new Error('The server fell silent.')), silenceMs)
  let timer = armed()
  try {
    const response = await open(terminals.live, { since }, AbortSignal.any([signal, silence.signal]))
    for await (const text of readEvents(response.body as ReadableStream<BufferSource>)) {
      clearTimeout(timer)
      timer = armed()
      onEvent(text)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Waits, but not longer than until the browser is online again or somebody looks. */
function pause(ms: number, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = new AbortController()
  const options = { signal: done.signal }
  const timer = setTimeout(resolve, ms)
  window.addEventListener('online', () => resolve(), options)
  document.addEventListener('visibilitychange', () => !document.hidden && resolve(), options)
  signal.addEventListener('abort', () => resolve(), options)
  return promise.finally(() => {
    clearTimeout(timer)
    done.abort()
  })
}
