import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { setUpBrowser } from '../../testing/browser.ts'
import { waitFor } from '../../testing/wait-for.ts'
import { tokens } from '../../tokens.ts'
import { fleetQuery } from './fleet-queries.ts'
import { type Feed, followFleet } from './live.ts'

const browser = setUpBrowser()
let stopLast = () => {}
afterEach(() => stopLast())

const terminal = {
  id: '1',
  deviceID: 'ut-1',
  serviceLine: 'SL-1',
  nickname: 'line-1',
  customname: 'Boat 1',
  status: 'online',
  alerts: '[]',
  isMobile: false,
  coordinates: '[58,-152]',
  street: null,
  city: null,
  state: null,
  lastSeen: null,
}
const changes = (since: string, revision: string, status: string) => ({
  kind: 'changes',
  since,
  revision,
  terminals: [],
  removed: [],
  changes: [{ id: '1', status }],
})

/** A page with a list, following a stream that the test writes to; `loadList` is the server's response with the list. */
const follow = async (loadList: () => object | Promise<object>) => {
  tokens.store({ access: 'token' })
  const encoder = new TextEncoder()
  const opened = Promise.withResolvers<ReadableStreamDefaultController>()
  let lists = 0
  browser.respondWith(async ({ url, signal }) => {
    if (!url.includes('/live/')) {
      lists++
      return Response.json(await loadList())
    }
    return new Response(
      new ReadableStream({
        start(controller) {
          signal.addEventListener('abort', () => controller.error(signal.reason))
          opened.resolve(controller)
        },
      }),
    )
  })
  const queries = new QueryClient()
  const stop = new AbortController()
  stopLast = () => stop.abort()
  let feed: Feed | undefined
  const loading = queries.fetchQuery(fleetQuery)
  followFleet({ queries, wantsDetails: false, signal: stop.signal, onFeed: (next) => (feed = next) })
  const controller = await opened.promise
  return {
    loading,
    send: (event: object) => controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)),
    readStatus: () => queries.getQueryData(fleetQuery.queryKey)?.terminals[0]?.status,
    readRevision: () => queries.getQueryData(fleetQuery.queryKey)?.revision,
    countLists: () => lists,
    readFeed: () => feed,
    queries,
  }
}

test('applies events in order and ignores those that the list already has', async () => {
  const page = await follow(() => ({ data: [terminal], revision: 'e.2' }))
  await page.loading
  page.send(changes('e.1', 'e.2', 'no data'))
  page.send(changes('e.2', 'e.3', 'offline'))
  await waitFor(() => expect(page.readRevision()).toBe('e.3'))
  expect(page.readStatus()).toBe('offline')
  page.send(changes('e.3', 'e.4', 'online'))
  await waitFor(() => expect(page.readRevision()).toBe('e.4'))
  expect(page.readStatus()).toBe('online')
  expect(page.countLists()).toBe(1)
})

test.each([
  ['skips a revision', changes('f.5', 'f.6', 'offline')],
  ['comes from a server with another history', changes('z.1', 'z.2', 'offline')],
  ['is a heartbeat with a newer revision', { kind: 'feed', revision: 'f.9', ageS: 3 }],
])('marks the list as outdated when an event %s', async (_case, event) => {
  const page = await follow(() => ({ data: [terminal], revision: 'f.1' }))
  await page.loading
  page.send(event)
  await waitFor(() => expect(page.queries.getQueryState(fleetQuery.queryKey)?.isInvalidated).toBe(true))
  expect(page.readStatus()).toBe('online')
})

test('replays the events that arrived while the list was loading', async () => {
  const { promise: list, resolve: respond } = Promise.withResolvers<object>()
  const page = await follow(() => list)
  page.send(changes('g.1', 'g.2', 'offline'))
  page.send(changes('g.2', 'g.3', 'no data'))
  page.send({ kind: 'feed', revision: 'g.3', ageS: 3 })
  await waitFor(() => expect(page.readFeed()?.newestAtMs).toBeTypeOf('number'))
  respond({ data: [terminal], revision: 'g.1' })
  await page.loading
  expect([page.readStatus(), page.readRevision()]).toEqual(['no data', 'g.3'])
  expect(page.countLists()).toBe(1)
})
