import type { RouteInput } from '#contract/route.ts'
import { terminals } from '#contract/terminals.ts'
import { request } from '../../api.ts'
import { getRetryAfterMs } from '../../retries.ts'
import { readEvents } from './event-stream.ts'

interface Options {
  signal: AbortSignal
  /** The input of the call, built each time the stream is opened. */
  buildInput: () => RouteInput<typeof terminals.live>
  onEvent: (text: string) => void
  onPause: () => void
  /** Receives a function that reopens the stream at once: to request more, or to skip the backoff. */
  onReopen: (reopen: () => void) => void
}

const firstPauseMs = 1000
const longestPauseMs = 30_000
/** The server sends something at least every 15 s. A longer silence means a dead connection, even if TCP says otherwise. */
const silenceMs = 45_000

/** Reads the stream until `signal` aborts, and reopens it with exponential backoff when it breaks. */
export async function readStream({ signal, buildInput, onEvent, onPause, onReopen }: Options) {
  let pauseMs = firstPauseMs
  while (!signal.aborted) {
    const reopened = new AbortController()
    let retryAfterMs = 0
    onReopen(() => reopened.abort())
    try {
      await readOnce(AbortSignal.any([signal, reopened.signal]), buildInput(), (text) => {
        pauseMs = firstPauseMs
        onEvent(text)
      })
    } catch (error) {
      if (signal.aborted) return
      if (reopened.signal.aborted) continue
      retryAfterMs = getRetryAfterMs(error)
      console.warn('The live stream broke:', error)
    }
    if (signal.aborted) return
    onPause()
    const waitMs = Math.max(pauseMs, retryAfterMs / 0.75) * (0.75 + Math.random() / 2)
    await pause(waitMs, AbortSignal.any([signal, reopened.signal]))
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}

async function readOnce(
  signal: AbortSignal,
  input: RouteInput<typeof terminals.live>,
  onEvent: (text: string) => void,
) {
  const silence = new AbortController()
  const startTimer = () => setTimeout(() => silence.abort(new Error('The server fell silent.')), silenceMs)
  let timer = startTimer()
  try {
    const response = await request(terminals.live, input, AbortSignal.any([signal, silence.signal]))
    for await (const text of readEvents(response.body as ReadableStream<BufferSource>)) {
      clearTimeout(timer)
      timer = startTimer()
      onEvent(text)
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Waits, but ends early when the browser comes back online or the page becomes visible. */
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
