import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setUpBrowser } from '../../testing/browser.ts'
import { tokens } from '../../tokens.ts'
import { readStream } from './read-stream.ts'

const browser = setUpBrowser()

beforeEach(() => {
  vi.useFakeTimers()
  // No jitter: 0.75 + 0.5 / 2 = 1.
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  tokens.store({ access: 'token' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const stream = (...events: string[]) => new Response(events.map((event) => `data: ${event}\n\n`).join(''))
const fail = () => new Response('{}', { status: 503 })
/** A stream that stays open, like the server's, until the reader aborts the request. */
const openStream = ({ signal }: Request, ...events: string[]) => {
  const body = new ReadableStream({
    start(controller) {
      for (const event of events) controller.enqueue(new TextEncoder().encode(`data: ${event}\n\n`))
      signal.addEventListener('abort', () => controller.error(signal.reason))
    },
  })
  return new Response(body)
}

const start = () => {
  const stop = new AbortController()
  const events: string[] = []
  let pauses = 0
  let reopen = () => {}
  const finished = readStream({
    signal: stop.signal,
    buildInput: () => ({}),
    onEvent: (text) => events.push(text),
    onPause: () => pauses++,
    onReopen: (next) => {
      reopen = next
    },
  })
  return { events, finished, stop: () => stop.abort(), reopen: () => reopen(), countPauses: () => pauses }
}

/** The seconds at which the stream was reopened, within the first `seconds`. */
const listRetries = async (seconds: number) => {
  const retriedAtS: number[] = []
  for (let second = 1; second <= seconds; second++) {
    const before = browser.requests.length
    await vi.advanceTimersByTimeAsync(1000)
    if (browser.requests.length > before) retriedAtS.push(second)
  }
  return retriedAtS
}

test('doubles the pause between attempts up to 30 s', async () => {
  browser.respondWith(fail)
  const { stop, finished } = start()
  expect(await listRetries(100)).toEqual([1, 3, 7, 15, 31, 61, 91])
  stop()
  await finished
})

test('waits at least as long as a busy server asks for', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  browser.respondWith(() => new Response('{}', { status: 503, headers: { 'retry-after': '30' } }))
  const { stop, finished } = start()
  expect(await listRetries(65)).toEqual([30, 60])
  stop()
  await finished
})

test('begins with the first pause again after an event', async () => {
  let attempt = 0
  browser.respondWith(() => (++attempt === 4 ? stream('hello') : fail()))
  const { stop, finished } = start()
  expect(await listRetries(14)).toEqual([1, 3, 7, 8, 10, 14])
  stop()
  await finished
})

test('reports events in the order in which they were sent', async () => {
  browser.respondWith(() => stream('1', '2', '3'))
  const { events, stop, finished } = start()
  await vi.advanceTimersByTimeAsync(0)
  expect(events).toEqual(['1', '2', '3'])
  stop()
  await finished
})

test('reopens the stream at once on request, without a pause', async () => {
  browser.respondWith((request) => openStream(request, `${browser.requests.length}`))
  const { events, reopen, countPauses, stop, finished } = start()
  await vi.advanceTimersByTimeAsync(0)
  reopen()
  await vi.advanceTimersByTimeAsync(0)
  expect(events).toEqual(['1', '2'])
  expect(countPauses()).toBe(0)
  stop()
  await finished
})

test('gives up a stream that is silent for 45 s', async () => {
  browser.respondWith((request) => openStream(request, 'hello'))
  const { countPauses, stop, finished } = start()
  await vi.advanceTimersByTimeAsync(44_999)
  expect(countPauses()).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(countPauses()).toBe(1)
  stop()
  await finished
})

test('ends a pause when the browser comes back online', async () => {
  browser.respondWith(fail)
  const { stop, finished } = start()
  await vi.advanceTimersByTimeAsync(8_000)
  const before = browser.requests.length
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(browser.requests.length).toBe(before + 1)
  stop()
  await finished
})

test('makes no more requests after it was stopped', async () => {
  browser.respondWith(fail)
  const { stop, finished } = start()
  await vi.advanceTimersByTimeAsync(0)
  stop()
  await finished
  await vi.advanceTimersByTimeAsync(60_000)
  expect(browser.requests).toHaveLength(1)
})
