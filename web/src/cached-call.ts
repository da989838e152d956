import { ApiError } from '#contract/errors.ts'
import { buildRequest, encodeInput } from '#contract/request.ts'
import type { Route, RouteInput, RouteOutput } from '#contract/route.ts'
import { decodeOutput, request } from './api.ts'
import { recordLostContact } from './contact.ts'
import {
  cachePublicResponse,
  cacheResponse,
  findCachedResponse,
  findPublicResponse,
  findSessionId,
} from './response-cache.ts'
import { isBusy } from './retries.ts'

/** When a response from the cache was received. */
export interface Cached {
  asOfMs?: number
}

/** There was no response, or one from a proxy that cannot reach the server either. */
export const isOutOfContact = (error: unknown) =>
  error instanceof ApiError && [0, 502, 503, 504].includes(error.status) && !isBusy(error)

/** A server that does not respond for this long counts as unreachable. */
const overdueAfterMs = 8000

/** Returns the server's response or, if it is unreachable, its last response in this session. */
export async function callOrCached<R extends Route>(
  route: R,
  input: RouteInput<R>,
  signal?: AbortSignal,
): Promise<RouteOutput<R> & Cached> {
  const session = findSessionId()
  const isPublic = route.access === 'public'
  const key = buildKey(route, input)
  const findCached = async () => {
    const cached = await (isPublic ? findPublicResponse(key) : findCachedResponse(key))
    if (!cached) return undefined
    recordLostContact()
    return { ...(decodeOutput(route, cached.body) as object), asOfMs: cached.cachedAtMs } as RouteOutput<R> & Cached
  }
  // Once the response has begun, its rest may take long on a slow link.
  let isAnswered = false
  const load = async () => {
    const response = await request(route, input, signal)
    isAnswered = true
    const body: unknown = await response.json().catch((cause) => {
      if (signal?.aborted) throw cause
    })
    const decoded = decodeOutput(route, body)
    void (isPublic ? cachePublicResponse(key, body) : cacheResponse(key, session, body))
    return decoded
  }
  const loading = load()
  try {
    const waiting = waitUntilOverdue(signal).then(async () =>
      isAnswered ? loading : ((await findCached()) ?? loading),
    )
    return (await Promise.race([loading, waiting])) as RouteOutput<R> & Cached
  } catch (error) {
    const cached = isOutOfContact(error) ? await findCached() : undefined
    if (!cached) throw error
    return cached
  }
}

// The key leaves out the body, such as the resolution of points: offline, any of these responses will do.
const buildKey = <R extends Route>(route: R, input: RouteInput<R>) =>
  buildRequest(route, encodeInput(route, input)).path

/** Resolves when a response is overdue; never if the request is aborted. */
export const waitUntilOverdue = (signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, overdueAfterMs)
    signal?.addEventListener('abort', () => clearTimeout(timer))
  })
